"""Rules, one module per cause: `cause` equals the file's name, `propose` yields what the shader may have done."""
