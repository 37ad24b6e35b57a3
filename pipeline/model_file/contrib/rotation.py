"""Pairs of numbers turned by angles: what tells an attention where a token stands."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer


def rotated(node: Writer, x: str, size: int, cos: str, sin: str, turning: int, *, interleaved: bool) -> str:
    """x [B, N, S, size] whose first `turning` numbers are turned; cosines and sines [B, 1, S, turning / 2].

    (a, b) becomes (a·cos − b·sin, b·cos + a·sin). Pairs are neighbours if `interleaved`, else the halves.
    """
    last, half = node.whole(-1, label="axes"), turning // 2

    def part(start: int, end: int, step: int = 1) -> str:
        bounds = (node.whole(start), node.whole(end), last, node.whole(step))
        return node.add("Slice", x, *bounds, label="part")

    first = part(0, turning, 2) if interleaved else part(0, half)
    second = part(1, turning, 2) if interleaved else part(half, turning)
    ahead = node.add("Sub", node.add("Mul", first, cos), node.add("Mul", second, sin), label="first/turned")
    behind = node.add("Add", node.add("Mul", second, cos), node.add("Mul", first, sin), label="second/turned")
    if interleaved:
        pairs = [node.add("Unsqueeze", each, last) for each in (ahead, behind)]
        both = node.reshape(node.add("Concat", *pairs, axis=-1), 0, 0, 0, turning, label="pairs")
        parts = [both]
    else:
        parts = [ahead, behind]
    if turning < size:
        parts.append(part(turning, size))
    return node.add("Concat", *parts, axis=-1, label="rotated") if len(parts) > 1 else parts[0]


def angles(node: Writer, table: str, places: str, label: str) -> str:
    """The rows [B, S, k] of a table of cosines or sines for places [B, S], as [B, 1, S, k]."""
    rows = node.add("Gather", table, places, axis=0, label=label)
    return node.add("Unsqueeze", rows, node.whole(1, label="axes"), label=f"{label}/heads")
