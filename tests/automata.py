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


def soup() -> np.ndarray:
    """A world of which a third lives."""
    return (np.random.default_rng(1).random((1, 1, SIZE, SIZE)) < 0.33).astype(np.float32)


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


# A neural automaton: 12 channels as three groups of four, each a tile of a grid of two columns. Every channel takes
# half of a layer of all channels and of their differences from the four neighbours.
CHANNELS = 12
NEURAL = """\
#version 330 core
uniform sampler2D u_state;
uniform sampler2D u_weight;
uniform sampler2D u_bias;
uniform int u_frame;
out vec4 result;

const int SIZE = 16;
const int GROUPS = 3;

vec4 state(int g, ivec2 at) {
    at = (at + SIZE) % SIZE;
    return texelFetch(u_state, ivec2(g % 2, g / 2) * SIZE + at, 0);
}

vec4 around(int g, ivec2 at) {
    vec4 sum = state(g, at + ivec2(1, 0)) + state(g, at - ivec2(1, 0));
    sum += state(g, at + ivec2(0, 1)) + state(g, at - ivec2(0, 1));
    return sum - 4.0 * state(g, at);
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int group = at.x / SIZE + 2 * (at.y / SIZE);
    at = at % SIZE;
    vec4 sum = texelFetch(u_bias, ivec2(group, 0), 0);
    for (int g = 0; g < GROUPS; g++) {
        vec4 own = state(g, at);
        vec4 other = around(g, at);
        for (int i = 0; i < 4; i++) {
            sum += own[i] * texelFetch(u_weight, ivec2(4 * g + i, group), 0);
            sum += other[i] * texelFetch(u_weight, ivec2(12 + 4 * g + i, group), 0);
        }
    }
    result = 0.5 * state(group, at) + 0.5 * max(sum, 0.0);
}
"""
# It is right for twelve frames.
NEURAL_LATE = NEURAL.replace(
    "    result =", "    if (u_frame >= 12) sum += 0.125 * state(group, at + ivec2(1, 0));\n    result ="
)
NEURAL_ORACLE = """\
import numpy as np


def rolled(x, dy, dx):
    return np.roll(x, (dy, dx), axis=(2, 3))


def state(u_state, weight, bias):
    around = rolled(u_state, 0, 1) + rolled(u_state, 0, -1) + rolled(u_state, 1, 0) + rolled(u_state, -1, 0)
    both = np.concatenate([u_state, around - 4 * u_state], axis=1)
    sums = np.einsum("gil,nihw->nglhw", weight, both).reshape(1, 12, 16, 16)
    return 0.5 * u_state + 0.5 * np.maximum(sums + bias.reshape(1, 12, 1, 1), 0)
"""
NEURAL_TOML = """\
[pipeline]
oracle = "oracle.py"
frames = 60

[[input]]
name = "seed"
shape = [1, 12, 16, 16]
layout = "channel_tiles_rgba"
source = "random:1"

[[constant]]
name = "weight"
source = "weight.npy"
shape = [3, 24, 4]
layout = { name = "row_major_rgba", width = 24 }

[[constant]]
name = "bias"
source = "bias.npy"
shape = [12]
layout = { name = "row_major_rgba", width = 3 }

[[pass]]
name = "state"
shader = "neural.frag"
output = { shape = [1, 12, 16, 16], layout = "channel_tiles_rgba" }
textures.u_state = { previous = "state", first = "seed" }
textures.u_weight = "weight"
textures.u_bias = "bias"
uniforms.u_frame = "frame"
"""


def write_neural(folder: Path, shader: str = NEURAL) -> Path:
    """Writes the folder and returns its pipeline file."""
    random = np.random.default_rng(3)
    weight = random.normal(0, 0.1, (3, 24, 4)).astype(np.float32)
    bias = random.normal(0, 0.1, CHANNELS).astype(np.float32)
    texts = {"neural.frag": shader, "oracle.py": NEURAL_ORACLE}
    return write(folder, NEURAL_TOML, texts, {"weight.npy": weight, "bias.npy": bias})
