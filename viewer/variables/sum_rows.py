"""The terms of a fragment's running sum as rows of a table."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pipeline.plan import StoredTensor
from pipeline.trace.trace import Read, Step
from viewer.variables.read_words import element_text, index_text

if TYPE_CHECKING:  # imported with the first fragment that is stepped through
    from pipeline.trace.sums import Term


# An element as words name it: `image[0, 1, 9, 11]`.
_ELEMENT = re.compile(r"\S+\[[^\]]*\]")


def turn_text(step: Step | None) -> str:
    """The turns of the loops around a term, outermost first, counted from 1 as people do."""
    return " ".join(str(turn + 1) for turn in step.turns) if step is not None else ""


def read_of_value(term: Term) -> Read:
    """Of the reads of a term that of its value; the other is its weight's."""
    return next((read for read in term.reads if term.value in read.value), term.reads[0])


def term_text(term: Term, stored: Mapping[str, StoredTensor]) -> str:
    """What the term is: the element whose value was read, the one that never was, or where the sum starts."""
    if term.fault == "missing":
        named = _ELEMENT.search(term.text)
        return f"missing {named[0]}" if named is not None else "missing"
    if not term.reads:
        return "start"
    read = read_of_value(term)
    if read.key not in stored:
        return read.uniform
    element = element_of(term, read)
    return index_text(stored[read.key], element) if element >= 0 else element_text(stored[read.key], read)


def element_of(term: Term, read: Read) -> int:
    """The element whose value went into a term, of a read of several lanes the one that holds it; -1 for padding.

    Of lanes that hold the same value the first.
    """
    if not read.elements:
        return -1
    if term.value is None or len(read.elements) != len(read.lanes):
        return read.elements[0]
    return next(
        (element for element, lane in zip(read.elements, read.lanes, strict=True) if read.value[lane] == term.value),
        read.elements[0],
    )


def read_texts(term: Term, stored: Mapping[str, StoredTensor]) -> tuple[str, ...]:
    """All that was read for it, a text a read."""
    return tuple(
        f"{element_text(stored[read.key], read) if read.key in stored else read.uniform}, "
        f"texel ({read.texel[0]}, {read.texel[1]})"
        for read in term.reads
    )


def factors_text(term: Term) -> str:
    """`0.25 × -1.5`; nothing of a term that is no product."""
    if term.value is None:
        return ""
    return f"{number(float(term.value), 4)} × {number(None if term.weight is None else float(term.weight), 4)}"


def number(value: float | None, digits: int = 6) -> str:
    """A number of the table; – where there is none."""
    if value is None:
        return "–"
    if math.isnan(value):
        return "NaN"
    return f"{value:.{digits}g}"


def parted(term: Term) -> float:
    """How far the running sum is from the oracle's behind a term."""
    return term.running - term.expected_running
