"""Opens recorded WebGL of any page: each draw becomes a pass with its own shaders, each texture a tensor."""
