"""Small networks in shaders as people write them for WebGL: five hands, from float coordinates to split passes."""
