"""What a shader's text means: its typed syntax tree, types, scopes, definitions and uses, and the roles of values."""
