"""ncnn's GLSL extension: its shaders as plain compute shaders in each of its modes, and the layers that they make up."""
