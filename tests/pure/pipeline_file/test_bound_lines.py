"""A binding is found in its line, however a pipeline file writes it."""

from __future__ import annotations

from texelscope.pipeline.pipeline_file.bound_lines import bound_lines

TEXT = """\
[pipeline]
name = "four ways"
[[input]]
name = "x"
[[pass]]
name = "dotted"
textures.t_X = "x"
textures."t_W" = { tensor = "w", layout = "filter_tiles" }
[[pass]]
textures = { t_A = "x", t_B = "y" }
name = 'inline'
[[pass]]
name = "table"
[pass.textures]
t_X = "x"
t_W.tensor = "w"
[pass.uniforms]
u_size = 3
[[pass]]
name = "dispatched"
buffers.X = "x"
  images.Y="y"
"""


def test_each_way_to_write_a_binding_has_its_line() -> None:
    assert dict(bound_lines(TEXT, "p.toml")) == {
        ("dotted", "t_X"): ("p.toml", 7),
        ("dotted", "t_W"): ("p.toml", 8),
        ("inline", "t_A"): ("p.toml", 10),
        ("inline", "t_B"): ("p.toml", 10),
        ("table", "t_X"): ("p.toml", 15),
        ("table", "t_W"): ("p.toml", 16),
        ("table", "u_size"): ("p.toml", 18),
        ("dispatched", "X"): ("p.toml", 21),
        ("dispatched", "Y"): ("p.toml", 22),
    }
