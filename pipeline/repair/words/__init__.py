"""Parts of mutations: proposals, and a shader's types, scopes, macros, weights and GLSL version."""
