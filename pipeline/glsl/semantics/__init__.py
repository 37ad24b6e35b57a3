"""What a shader's text means: its typed syntax tree, types, scopes, and where values are made."""
