"""Reads pipeline files (`pipeline.toml`): a person's own shaders, their bindings and their expected values."""
