"""The style engine_kernels holds kernels of an inference engine's OpenGL backend, with planted bugs."""
