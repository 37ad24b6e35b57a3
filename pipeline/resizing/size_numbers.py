"""Replaces the numbers of a hand-written pass that are sizes of its tensors: in its text, and in its uniforms."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from texelscope.layouts import Layout
from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.graph import Shape

# Smaller numbers are more often something else.
_LEAST = 5
_NUMBER = re.compile(r"(?<![\w.])(?P<whole>\d+)(?P<rest>\.0*)?(?![\w.])")

# Shape and layout of a tensor.
Stored = tuple[Shape, Layout]


def resized(value: Any, before: Sequence[Stored], after: Sequence[Stored]) -> Any:
    """Returns a uniform's raw value with new sizes; expressions and weights follow by themselves."""
    if not isinstance(value, int | float | list) or isinstance(value, bool):
        return value
    pairs = [pair for old, new in zip(before, after, strict=True) for pair in _vectors(old, new)]
    if isinstance(value, list):
        for old, new in pairs:
            if [float(number) for number in _flat(value)] == [float(number) for number in old]:
                return list(new)
        return [resized(item, before, after) for item in value]
    numbers = size_map(before, after)
    return numbers.get(int(value), value) if value == int(value) else value


def following_size(old: Any, new: Any, before: Sequence[Stored], after: Sequence[Stored]) -> Any:
    """Returns `new`, a uniform's raw value in place of `old`, where it follows a size as a number may.

    A number that is a size becomes the new one. One that replaces a size keeps its distance from that. All others, and
    texts, stay.
    """
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [following_size(one, other, before, after) for one, other in zip(old, new, strict=True)]
    if any(isinstance(each, bool) or not isinstance(each, int | float) for each in (old, new)):
        return new
    own = resized(new, before, after)
    return own if own != new or old == new else new + resized(old, before, after) - old


def resized_text(text: str, before: Sequence[Stored], after: Sequence[Stored]) -> str:
    """Returns a shader with its sizes replaced."""
    numbers = {old: new for old, new in size_map(before, after).items() if old >= _LEAST}

    def changed(match: re.Match[str]) -> str:
        return f"{numbers.get(int(match['whole']), int(match['whole']))}{match['rest'] or ''}"

    return _NUMBER.sub(changed, text)


def size_map(before: Sequence[Stored], after: Sequence[Stored]) -> Mapping[int, int]:
    """Maps old sizes to new ones; ambiguous ones are left out, unless the first tensor decides."""
    found: dict[int, int] = {}
    for old, new in zip(before, after, strict=True):
        here: dict[int, set[int]] = {}
        for was, now in zip(_sizes(old), _sizes(new), strict=True):
            here.setdefault(was, set()).add(now)
        for was, nows in here.items():
            if len(nows) == 1:
                found.setdefault(was, *nows)
    return {was: now for was, now in found.items() if was != now}


def _sizes(stored: Stored) -> Iterator[int]:
    shape, layout = stored
    n, c, h, w = as_nchw(shape)
    yield from (w, h, c, n, h * w, math.prod(shape), *layout.texture_shape(shape))


def _vectors(old: Stored, new: Stored) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Yields sizes that stand together: width and height of picture and texture, and all four."""
    (was, was_in), (now, now_in) = old, new
    n, c, h, w = as_nchw(was)
    n_now, c_now, h_now, w_now = as_nchw(now)
    yield (w, h), (w_now, h_now)
    yield was_in.texture_shape(was)[::-1], now_in.texture_shape(now)[::-1]
    yield (n, c, h, w), (n_now, c_now, h_now, w_now)


def _flat(value: Sequence[Any]) -> Sequence[Any]:
    return value if all(isinstance(item, int | float) for item in value) else [math.nan]
