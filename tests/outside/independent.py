"""Runs networks in numpy from the weights in a shader's text, by regular expressions for each author's style.

Nothing of the program's own reading is used: both can only agree on a file if both are right.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.sampled_pictures import doubled

Array = NDArray[np.float64]

_TERM = re.compile(r"(mat4(?:x4)?|vec4)\(([^()]*)\)\s*\*\s*([^;]*);")
_BIAS = re.compile(r"(?:result \+= |vec4 res = )vec4\(([^()]*)\);")
_TAP = re.compile(r"go_(\d+)\((-?[\d.]+), (-?[\d.]+)\)|g_(\d+)$")
_MACRO = re.compile(r"#define go?_(\d+)(?:\(.*?\))? \((max\((-?)\(?)?\(?(\w+?)_tex")
_DIRECT = re.compile(r"(?:float\()?(\w+)_texOff\((?:vec2\((-?[\d.]+), ?(-?[\d.]+)\)|0)\)")
_SLOPE = re.compile(r"max\(res, vec4\(0\.0\)\) \+ vec4\(([^()]*)\) \* min\(res, vec4\(0\.0\)\)")


def numbers(text: str) -> Array:
    """Returns the numbers of a list."""
    return np.array([float(each) for each in text.split(",")], np.float32).astype(np.float64)


def blocks(path: Path) -> list[tuple[dict[str, str], str]]:
    """Returns directives (the last of each word) and text of each block."""
    parts = re.split(r"((?:^//!.*\n)+)", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    made = []
    for head, body in zip(parts[1::2], parts[2::2], strict=True):
        words = [line[3:].split(None, 1) for line in head.splitlines()]
        made.append(({word: rest for word, *others in words for rest in [others[0] if others else ""]}, body))
    return made


def run(path: Path, picture: Array) -> list[Array]:
    """Yields each block's output for a picture [channels, height, width], in float64, edges repeated."""
    first = blocks(path)[0][0]["HOOK"]
    known: dict[str, Array] = {first: picture}
    results = []
    for directives, body in blocks(path):
        made = _spread(body, known, first) if "fract(" in body else _layer(body, known)
        made = made[: len(picture)] if directives.get("SAVE", first) == first else made
        known[directives.get("SAVE", directives["HOOK"])] = made
        results.append(made)
    return results


def _layer(body: str, known: Mapping[str, Array]) -> Array:
    macros = {each[1]: (each[4], bool(each[2]), each[3] == "-") for each in _MACRO.finditer(body)}
    total = None
    for kind, literals, read in _TERM.findall(body.split("res = max(res")[0]):
        source, x, y = _read(read, macros, known)
        values = numbers(literals)
        weight = values.reshape(4, 4).T if kind.startswith("mat4") else values.reshape(4, 1)
        lanes = np.concatenate([source, np.zeros((4, *source.shape[1:]))])[: weight.shape[1]]
        part = np.einsum("oc,chw->ohw", weight, _moved(lanes, x, y))
        total = part if total is None else total + part
    assert total is not None
    for bias in _BIAS.findall(body):
        total = total + numbers(bias)[:, None, None]
    for added in re.findall(r"^res \+= (\w+)_texOff\(0\);", body, flags=re.MULTILINE):
        total = total + known[added]
    for slope in _SLOPE.findall(body):
        total = np.where(total > 0, total, numbers(slope)[:, None, None] * total)
    for added in re.findall(r"return result \+ (\w+)_tex\(", body):
        total = total[: len(known[added])] + known[added]
    return np.asarray(total)


def _read(
    read: str, macros: Mapping[str, tuple[str, bool, bool]], known: Mapping[str, Array]
) -> tuple[Array, int, int]:
    """Returns the source of a read, and its place: (x, y) in texels."""
    tap = _TAP.match(read)
    if tap is not None:
        name, rectified, negative = macros[tap[1] or tap[4]]
        source = -known[name] if negative else known[name]
        return (np.maximum(source, 0) if rectified else source), int(float(tap[2] or 0)), int(float(tap[3] or 0))
    direct = _DIRECT.match(read)
    assert direct is not None, read
    return known[direct[1]], int(float(direct[2] or 0)), int(float(direct[3] or 0))


def _moved(source: Array, x: int, y: int) -> Array:
    """The source at (x, y) further on, edges repeated."""
    rows = np.clip(np.arange(source.shape[1]) + y, 0, source.shape[1] - 1)
    columns = np.clip(np.arange(source.shape[2]) + x, 0, source.shape[2] - 1)
    return source[:, rows][:, :, columns]


def _spread(body: str, known: Mapping[str, Array], first: str) -> Array:
    """Four lanes as the pixels of one texel, over the picture that is enlarged if it is added."""
    names = re.findall(r"(?:c\d|res) = (\w+)_tex\(", body)
    across = "index.x * 2 + index.y" in body
    planes = []
    for name in names:
        pixels = known[name][:4].reshape(2, 2, *known[name].shape[1:])
        pixels = pixels.transpose(1, 0, 2, 3) if across else pixels
        planes.append(pixels.transpose(2, 0, 3, 1).reshape(2 * pixels.shape[2], 2 * pixels.shape[3]))
    planes += [planes[-1]] * (4 - len(planes))
    spread = np.stack(planes)
    if f"+ {first}_tex(" not in body:
        return spread
    return spread[: len(known[first])] + doubled(known[first])
