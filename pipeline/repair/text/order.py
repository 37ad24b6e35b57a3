"""A declaration and the statement beside it in the other order: no edit chosen as it runs can say that."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from texelscope.pipeline.compare.repairs import LineEdit
from texelscope.pipeline.glsl.lines import GENERATED, line_map
from texelscope.pipeline.plan import ProgramSource

_DECLARED = re.compile(r"\s*(?:(?:const|highp|mediump|lowp)\s+)*[a-z]\w*\s+(\w+)\s*=([^;]+);\s*(?://.*)?$")
_GIVEN = re.compile(r"\s*([A-Za-z_]\w*)(?:\.\w+|\[[^\]]*\])?\s*[-+*/]?=(?!=)([^;]+);\s*(?://.*)?$")
_WORD = re.compile(r"[A-Za-z_]\w*")
_NEITHER = frozenset({"return", "else"})
# Pairs that are tried.
_MOST = 8


def reordered(program: ProgramSource) -> Iterator[tuple[LineEdit, ...]]:
    """Edits that exchange two lines: what is declared is made of what the other one changes, and not used by that."""
    places, lines = line_map(program), program.fragment.split("\n")
    pairs = (
        (LineEdit(*places[at], lines[at], lines[at + 1]), LineEdit(*places[at + 1], lines[at + 1], lines[at]))
        for at in range(len(lines) - 1)
        if GENERATED not in (places[at][0], places[at + 1][0]) and _hang_together(lines[at], lines[at + 1])
    )
    yield from itertools.islice(pairs, _MOST)


def _hang_together(first: str, second: str) -> bool:
    for one, other in ((first, second), (second, first)):
        declared, given = _DECLARED.match(one), _GIVEN.match(other)
        if declared is not None and given is not None and one.split()[0] not in _NEITHER:
            is_used = declared[1] in _WORD.findall(other)
            return given[1] in _WORD.findall(declared[2]) and not is_used
    return False
