"""Small recordings of WebGL, with shaders of our own, written as the recorder of a page writes them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

QUAD = [[-1, -1], [1, -1], [-1, 1], [1, 1]]
VERTEX = """#version 300 es
layout(location = 0) in vec2 corner;
void main() { gl_Position = vec4(corner, 0.0, 1.0); }
"""
# y = max(the sum of x and of its neighbour at the left, 0).
SUM = """#version 300 es
precision highp float;
precision highp sampler2D;
uniform sampler2D x;
out vec4 result;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 left = at.x > 0 ? texelFetch(x, at - ivec2(1, 0), 0) : vec4(0.0);
    result = max(texelFetch(x, at, 0) + left, 0.0);
}
"""
# WebGL 1's text has no #version: z = gain · y.
VERTEX_100 = """attribute vec2 corner;
varying vec2 place;
void main() { place = 0.5 * corner + 0.5; gl_Position = vec4(corner, 0.0, 1.0); }
"""
SCALE = """precision mediump float;
varying vec2 place;
uniform sampler2D y;
uniform float gain;
void main() {
    gl_FragColor = gain * texture2D(y, place);
}
"""


@dataclass
class WebglPage:
    """Imitates a page's recording; `write` makes it a folder."""

    about: dict[str, Any] = field(
        default_factory=lambda: {
            "format": "texelscope-webgl", "version": 1, "agent": "a browser", "notes": [], "textures": [],
            "programs": [], "draws": [],
            "contexts": [{"webgl": 2, "lost": False, "fullPrecision": True, "renderer": "a driver"}],
        }
    )  # fmt: skip
    files: dict[str, bytes] = field(default_factory=dict)

    def texture(self, texels: NDArray[Any], **more: Any) -> int:
        """One more content of a texture, [height, width, lanes]; returns its number."""
        number, (height, width, lanes) = len(self.about["textures"]), texels.shape
        kind = {"f": "float32", "u": "uint8", "i": "int32"}[texels.dtype.kind]
        self.files[f"textures/{number}.bin"] = texels.tobytes()
        self.about["textures"].append({
            "id": number, "context": 0, "width": width, "height": height, "format": "RGBA32F", "channels": lanes,
            "lanes": lanes, "type": kind, "values": f"textures/{number}.bin", **more,
        })  # fmt: skip
        return number

    def program(self, vertex: str, fragment: str) -> int:
        """One more program; returns its number."""
        number = len(self.about["programs"])
        paths = {"vertex": f"programs/{number:03d}.vert", "fragment": f"programs/{number:03d}.frag"}
        self.files |= {paths["vertex"]: vertex.encode(), paths["fragment"]: fragment.encode()}
        self.about["programs"].append(paths)
        return number

    def draw(self, program: int, reads: dict[str, int], output: int, **more: Any) -> None:
        """One more draw of a whole target; `reads` are textures by sampler, `more` other fields of its entry."""
        target = self.about["textures"][output]
        samplers = [
            {"uniform": name, "texture": number, "filter": ["nearest"] * 2, "wrap": ["clamp_to_edge"] * 2}
            for name, number in reads.items()
        ]
        self.about["draws"].append({
            "context": 0, "program": program, "call": "drawArrays", "mode": "TRIANGLE_STRIP", "vertices": 4,
            "attributes": {"corner": QUAD}, "viewport": [0, 0, target["width"], target["height"]], "state": [],
            "samplers": samplers, "uniforms": {}, "outputs": [{"attachment": 0, "texture": output}], "unwritten": 0,
            **more,
        })  # fmt: skip

    def write(self, folder: Path) -> Path:
        """Returns the recording as a folder."""
        for name, data in {"draws.json": json.dumps(self.about).encode(), **self.files}.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return folder


def texels(seed: int = 1, width: int = 6, height: int = 4) -> NDArray[np.float32]:
    """Draws noise, [height, width, 4]."""
    return np.random.default_rng(seed).standard_normal((height, width, 4)).astype(np.float32)


def summed(x: NDArray[np.generic]) -> NDArray[np.float32]:
    """What `SUM` writes."""
    given = x.astype(np.float32)
    left = np.zeros_like(given)
    left[:, 1:] = given[:, :-1]
    result: NDArray[np.float32] = np.maximum(given + left, np.float32(0.0))
    return result


def two_draws() -> WebglPage:
    """A sum in WebGL 2, and its double in WebGL 1's text."""
    page, x = WebglPage(), texels()
    y = summed(x)
    image, first, second = page.texture(x), page.texture(y), page.texture(np.float32(2.0) * y)
    page.draw(page.program(VERTEX, SUM), {"x": image}, first)
    page.draw(page.program(VERTEX_100, SCALE), {"y": first}, second, uniforms={"gain": 2.0})
    return page
