"""ncnn's GLSL extension: its shaders as plain compute shaders, in each of its modes."""
