"""One module a cause: `cause` is the name of the file, `propose` what the shader may have done."""
