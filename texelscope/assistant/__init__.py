"""Serves an assistant that writes shaders, over the Model Context Protocol: what it may call, inside one folder."""
