"""The terms of a fragment's running sum as rows of a table."""

from __future__ import annotations

import math
from collections.abc import Mapping

from pipeline.plan import StoredTensor
from pipeline.trace.sums import Term
from pipeline.trace.trace import Step
from viewer.variables.read_words import element_text


def turn_text(step: Step | None) -> str:
    """The turns of the loops around a term, outermost first, counted from 1 as people do."""
    return " ".join(str(turn + 1) for turn in step.turns) if step is not None else ""


def term_text(term: Term, stored: Mapping[str, StoredTensor]) -> str:
    """What was read for a term, each read's element by index."""
    texts = [element_text(stored[read.key], read) if read.key in stored else read.uniform for read in term.reads]
    return "  ".join(texts) if texts else "start"


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
