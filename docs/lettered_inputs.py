"""Inputs on which a person sees what a planted bug does: letters instead of noise.

Every channel gets a letter of its own on a level of its own, so that a flip, a shift, a swapped channel or a
neighbour's texels can be told at a glance. Weights of convolutions become an emboss of the next channel: its letter, a
shadow above and a ghost at the right, so that a kernel read by columns or a filter of another output shows.
"""

from __future__ import annotations

import dataclasses
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.faults.subjects import Subject
from texelscope.pipeline.graph import Graph, Node

Array = NDArray[Any]

# None is its own mirror image, in any direction.
_LETTERS = {
    "F": "111 100 110 100 100",
    "R": "110 101 110 101 101",
    "L": "100 100 100 100 111",
    "P": "110 101 110 100 100",
    "J": "001 001 001 101 111",
    "7": "111 001 010 010 010",
    "h": "100 100 111 101 101",
    "4": "101 101 111 001 001",
    "G": "111 100 101 101 111",
    "d": "001 001 111 101 111",
}
_LEVELS = (-0.7, -0.1, 0.3, -0.4, 0.15, -0.9)
_INK = 1.3
_GRAIN = 0.03  # a little noise, so that no two places are alike


def lettered(subject: Subject) -> Subject:
    """The subject with letters for its pictures, in their range, and an emboss for its convolutions' weights."""
    inputs = {
        name: _letters(value, first=4 * i) if value.ndim == 4 else value
        for i, (name, value) in enumerate(subject.inputs.items())
    }
    graph = subject.plan.graph
    assert graph is not None
    plan = dataclasses.replace(subject.plan, graph=_embossing(graph))
    return dataclasses.replace(subject, plan=plan, inputs=MappingProxyType(inputs))


def _letters(like: Array, first: int) -> Array:
    """float32 [N, C, H, W] of the shape of `like`, between its least and its greatest value."""
    N, C, H, W = like.shape
    made = np.stack([_tile(H, W, first + k) for k in range(N * C)]).reshape(N, C, H, W)
    made = made + _GRAIN * np.random.default_rng(first).standard_normal(like.shape)
    low, high = float(like.min()), float(like.max())
    scaled = low + (made - made.min()) / (made.max() - made.min()) * (high - low)
    return np.asarray(scaled, dtype=np.float32)


def _tile(H: int, W: int, number: int) -> Array:
    """One channel, [H, W]: a letter with a margin where there is room for one, on a slope."""
    rows = list(_LETTERS.values())[number % len(_LETTERS)].split()
    letter = np.array([[int(mark) for mark in row] for row in rows])
    height, width = (H - 2 if H >= 7 else H), (W - 2 if W >= 5 else W)
    ys = np.arange(height) * 5 // max(height, 5) if height >= 5 else np.linspace(0, 4, height).round().astype(int)
    xs = np.arange(width) * 3 // max(width, 3)
    tile = np.add.outer(0.3 * np.arange(H) / H, 0.3 * np.arange(W) / W) + _LEVELS[number % len(_LEVELS)]
    top, left = (H - height) // 2, (W - width) // 2
    tile[top : top + height, left : left + width] += _INK * letter[np.ix_(ys, xs)]
    return np.asarray(tile)


def _embossing(graph: Graph) -> Graph:
    constants = dict(graph.constants)
    for node in graph.nodes:
        if node.op_type in ("Conv", "ConvTranspose") and constants.get(node.inputs[1], np.zeros(0)).ndim == 4:
            constants[node.inputs[1]] = _emboss(constants[node.inputs[1]], node)
    return dataclasses.replace(graph, constants=MappingProxyType(constants))


def _emboss(like: Array, node: Node) -> Array:
    """Weights of the shape and the norm of `like`: [O, I, K, K] of a convolution, [I, O, K, K] of a transposed one."""
    transposed = node.op_type == "ConvTranspose"
    made: Array = np.zeros(like.shape).swapaxes(0, 1) if transposed else np.zeros(like.shape)
    outputs, inputs = made.shape[:2]
    height, width = made.shape[2:]
    kernel = _enlarging(height, width) if transposed else _shadowed(height, width)
    for o in range(outputs):
        made[o, (o + 2) % inputs] = 0.2 * kernel
        made[o, (o + 1) % inputs] = kernel
    made = made.swapaxes(0, 1) if transposed else made
    made = made + _GRAIN * np.random.default_rng(3).standard_normal(like.shape)
    return np.asarray(made * (np.linalg.norm(like) / np.linalg.norm(made)), dtype=like.dtype)


def _shadowed(height: int, width: int) -> Array:
    """The picture, darker above its letters, with a ghost at their right."""
    kernel = np.zeros((height, width))
    y, x = (height - 1) // 2, (width - 1) // 2
    kernel[y, -1] += 0.3
    kernel[0, x] -= 0.4
    kernel[y, x] = 1.0
    return kernel


def _enlarging(height: int, width: int) -> Array:
    """What enlarges smoothly, a little heavier at the right and lighter above."""
    down, across = (1.0 - np.abs(np.linspace(-1.0, 1.0, n + 2)[1:-1]) for n in (height, width))
    down[0] -= 0.5
    across[-1] += 0.4
    return np.outer(down, across)
