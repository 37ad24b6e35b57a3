"""Opens recorded WebGPU of any page: each dispatch becomes a pass of its own text, each part of a buffer a tensor."""
