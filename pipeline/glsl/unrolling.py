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

from texelscope.pipeline.glsl.lines import line_directive

_Line = tuple[int, str]
_LOOP = re.compile(r"^( *)for \(int (\w+) = 0; \2 < (\w+); \2\+\+\) \{ // unrolled$")


def unrolled(text: str, counts: Mapping[str, int], file_number: int) -> str:
    """`text` with every marked loop written out; `counts` has the bounds that are names.

    `#line` directives keep the lines' numbers, as those of the file of that number: see `pipeline.glsl.lines`.
    Raises AssertionError for a bound that is neither a number nor in `counts`, or a loop that does not end on a line
    of its own at its own indentation.
    """
    result, following = [], 0
    for number, line in _written_out(list(enumerate(text.split("\n"), 1)), counts):
        if number != following:
            result.append(line_directive(file_number, number))
        result.append(line)
        following = number + 1
    return "\n".join(result)


def _written_out(lines: Sequence[_Line], counts: Mapping[str, int]) -> list[_Line]:
    result: list[_Line] = []
    texts = [text for _, text in lines]
    position = 0
    while position < len(lines):
        found = _LOOP.match(texts[position])
        if found is None:
            result.append(lines[position])
            position += 1
            continue
        indentation, counter, bound = found.groups()
        end = f"{indentation}}}"
        assert bound.isdecimal() or bound in counts, f"{bound} in '{texts[position].strip()}' is not known"
        assert end in texts[position:], f"'{texts[position].strip()}' does not end"
        last = texts.index(end, position)
        body = lines[position + 1 : last]
        for turn in range(int(bound) if bound.isdecimal() else counts[bound]):
            turned = [(number, re.sub(rf"\b{counter}\b", str(turn), line)) for number, line in body]
            opened = (lines[position][0], f"{indentation}{{")
            result.extend([opened, *_written_out(turned, counts), lines[last]])
        position = last + 1
    return result
