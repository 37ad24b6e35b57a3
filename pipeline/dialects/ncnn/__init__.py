"""ncnn's GLSL extension: its shaders as plain compute shaders in each mode, and the layers that they are of."""
