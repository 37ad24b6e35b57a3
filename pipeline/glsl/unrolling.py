"""Loops of a shipped shader written out, where a driver would keep them as loops and its arrays in memory.

Mesa unrolls short loops alone, and an array that is indexed by what varies costs it a store and a load for each use:
a convolution that sums several pixels in one array is five times slower so. A loop that is marked is repeated with
its counter as a number:

    for (int k = 0; k < PIXELS; k++) { // unrolled
        ...
    }
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_LOOP = re.compile(r"^( *)for \(int (\w+) = 0; \2 < (\w+); \2\+\+\) \{ // unrolled$")


def unrolled(text: str, counts: Mapping[str, int]) -> str:
    """`text` with every marked loop written out; `counts` has the bounds that are names.

    Raises AssertionError for a bound that is neither a number nor in `counts`, or a loop that does not end on a line
    of its own at its own indentation.
    """
    return "\n".join(_written_out(text.split("\n"), counts))


def _written_out(lines: Sequence[str], counts: Mapping[str, int]) -> list[str]:
    result: list[str] = []
    position = 0
    while position < len(lines):
        found = _LOOP.match(lines[position])
        if found is None:
            result.append(lines[position])
            position += 1
            continue
        indentation, counter, bound = found.groups()
        end = f"{indentation}}}"
        assert bound.isdecimal() or bound in counts, f"{bound} in '{lines[position].strip()}' is not known"
        assert end in lines[position:], f"'{lines[position].strip()}' does not end"
        last = lines.index(end, position)
        body = lines[position + 1 : last]
        for turn in range(int(bound) if bound.isdecimal() else counts[bound]):
            turned = [re.sub(rf"\b{counter}\b", str(turn), line) for line in body]
            result.extend([f"{indentation}{{", *_written_out(turned, counts), end])
        position = last + 1
    return result
