"""Which colours stand for which values, for all pictures of tensors."""

from __future__ import annotations

from texelscope.viewer.colour.ranges import Range

BACKGROUND = (0.055, 0.060, 0.072, 1.0)
# Of what is not finite, as shaders/viewer/canvas.frag.glsl has them.
NAN, INFINITY = (1.0, 0.1, 0.1), (0.1, 0.9, 0.2)
# float32 has 24 binary digits.
_ONE_MORE_IS_NONE = 2.0**24
# Numbers up to here, and down to one over it, are far from the ends of float32.
_FAR = 2.0**64


def shown_range(chosen: Range, low: float, high: float) -> tuple[float, float]:
    """The range of what has data from `low` to `high`: about zero if there are negative values.

    Never an empty one: a number alone is the first of a range, or the last where it is so large that one more is none.
    """
    if not chosen.follows:
        return chosen.low, chosen.high
    if low < 0.0:
        reach = max(-low, high)
        return -reach, reach
    if high > low:
        return low, high
    return (low, low + 1.0) if low < _ONE_MORE_IS_NONE else (0.0, low)


def unit_of(low: float, high: float) -> float:
    """What values are multiplied with on the GPU so that a range neither overflows there nor is flushed to zero."""
    reach = max(abs(low), abs(high))
    return _FAR if 0.0 < reach < 1.0 / _FAR else 1.0 / _FAR if reach > _FAR else 1.0
