"""Pipeline files: a person's own shaders, what they read and what is right, as `pipeline.toml` says it."""
