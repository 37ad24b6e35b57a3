"""Describes the terms of a fragment's sum: their elements, factors, turns and what is wrong with them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.stepping.reads import element_text, index_text

if TYPE_CHECKING:
    from texelscope.pipeline.step_trace.sums import SumTerm
    from texelscope.pipeline.step_trace.trace import TexelRead, TraceStep

# An element in texts: `image[0, 1, 9, 11]`.
_ELEMENT = re.compile(r"\S+\[[^\]]*\]")


def turn_text(step: TraceStep | None) -> str:
    """Formats the turns of the loops around a term, outermost first, counted from 1."""
    return " ".join(str(turn + 1) for turn in step.turns) if step is not None else ""


def read_of_value(term: SumTerm) -> TexelRead:
    """Returns the read of a term's value; the other read is its weight's."""
    return next((read for read in term.reads if term.value in read.value), term.reads[0])


def term_text(term: SumTerm, stored: Mapping[str, StoredTensor], element: int = -1) -> str:
    """Describes a term: the `element` whose value was read, the missing one, or the sum's start."""
    if term.fault == "missing":
        named = _ELEMENT.search(term.text)
        return f"missing {named[0]}" if named is not None else "missing"
    if not term.reads:
        return "start"
    read = read_of_value(term)
    if read.key not in stored:
        return read.uniform
    return index_text(stored[read.key], element) if element >= 0 else element_text(stored[read.key], read)


def elements_of(terms: Sequence[SumTerm]) -> tuple[int, ...]:
    """Returns for each term the element whose value went into it; -1 for padding and for what was not read.

    A read of several lanes gives the one that holds the value; lanes with equal values are assigned in turn.
    """
    taken: dict[tuple[int, str, tuple[int, int]], set[int]] = {}
    found = []
    for term in terms:
        read = read_of_value(term) if term.reads else None
        if read is None or len(read.elements) != len(read.lanes):
            found.append(read.elements[0] if read is not None and read.elements else -1)
            continue
        used = taken.setdefault((term.step, read.key, read.texel), set())
        pairs = tuple(zip(read.elements, read.lanes, strict=True))
        fitting = [element for element, lane in pairs if term.value is None or read.value[lane] == term.value]
        element = next((each for each in fitting if each not in used), next(iter(fitting), read.elements[0]))
        used.add(element)
        found.append(element)
    return tuple(found)


def read_texts(term: SumTerm, stored: Mapping[str, StoredTensor]) -> tuple[str, ...]:
    """Describes all reads of the term, a text for each."""
    return tuple(
        f"{element_text(stored[read.key], read) if read.key in stored else read.uniform}, "
        f"texel ({read.texel[0]}, {read.texel[1]})"
        for read in term.reads
    )


def factors_text(term: SumTerm) -> str:
    """Formats the factors, `0.25 × -1.5`; empty for a term that is no product."""
    if term.value is None:
        return ""
    return f"{number(float(term.value), 4)} × {number(None if term.weight is None else float(term.weight), 4)}"


def number(value: float | None, digits: int = 6) -> str:
    """Formats a number of the table; – for none."""
    if value is None:
        return "–"
    if math.isnan(value):
        return "NaN"
    return f"{value:.{digits}g}"


def parted(term: SumTerm) -> float:
    """Returns how far the running sum is from the oracle's after a term."""
    return term.running - term.expected_running
