"""Pipeline folders of passes that run again on their own output: Conway's Game of Life, and others."""

from __future__ import annotations

from pathlib import Path

import numpy as np

SIZE = 16
LIFE = """\
#version 330 core
uniform sampler2D u_state;
out vec4 result;

const int SIZE = 16;

float alive(ivec2 at) {
    return texelFetch(u_state, (at + SIZE) % SIZE, 0).r;
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float around = -alive(at);
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            around += alive(at + ivec2(dx, dy));
        }
    }
    bool lives = around == 3.0 || (alive(at) == 1.0 && around == 2.0);
    result = vec4(lives ? 1.0 : 0.0);
}
"""
# Right until something lives at an edge: what lies beyond it is taken for the edge itself.
LIFE_CLAMPED = LIFE.replace("(at + SIZE) % SIZE", "clamp(at, 0, SIZE - 1)")
LIFE_ORACLE = """\
import numpy as np


def state(u_state):
    around = -u_state
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            around = around + np.roll(u_state, (dy, dx), axis=(2, 3))
    return ((around == 3) | ((u_state == 1) & (around == 2))).astype(np.float64)
"""
LIFE_TOML = """\
[pipeline]
oracle = "oracle.py"
frames = 60

[[input]]
name = "seed"
shape = [1, 1, 16, 16]
layout = "channel_tiles"
source = "seed.npy"

[[pass]]
name = "state"
shader = "life.frag"
output = { shape = [1, 1, 16, 16], layout = "channel_tiles" }
textures.u_state = { previous = "state", first = "seed" }
"""
GLIDER = ((0, 1), (1, 2), (2, 0), (2, 1), (2, 2))


def glider(row: int = 0, column: int = 0) -> np.ndarray:
    """A glider, which goes one row down and one column to the right in four frames, from there on."""
    world = np.zeros((1, 1, SIZE, SIZE), dtype=np.float32)
    for y, x in GLIDER:
        world[0, 0, row + y, column + x] = 1.0
    return world


def next_world(world: np.ndarray) -> np.ndarray:
    """The world one frame later."""
    around = sum(np.roll(world, (dy, dx), axis=(2, 3)) for dy in (-1, 0, 1) for dx in (-1, 0, 1)) - world
    lives: np.ndarray = (around == 3) | ((world == 1) & (around == 2))
    return lives.astype(np.float32)


def write_life(folder: Path, shader: str = LIFE, seed: np.ndarray | None = None, toml: str = LIFE_TOML) -> Path:
    """Writes the folder and returns its pipeline file."""
    return write(folder, toml, {"life.frag": shader, "oracle.py": LIFE_ORACLE}, {"seed.npy": seed})


def write(folder: Path, toml: str, texts: dict[str, str], arrays: dict[str, np.ndarray | None]) -> Path:
    """Writes a folder of these files; an array of None is a glider."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {**texts, "pipeline.toml": toml}.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name, array in arrays.items():
        np.save(folder / name, glider() if array is None else array)
    return folder / "pipeline.toml"
