"""The running sum of one fragment beside the oracle's: the partial sums of the same products, in the same order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pipeline.trace.trace import Number, Read

# What is wrong with a term; empty where nothing is.
TermFault = Literal["", "not_expected", "again", "weight", "value", "product"]


@dataclass(frozen=True)
class Term:
    """One increment of the accumulator, in step `step`: `reads` are what was read for it, in order.

    `value` (an activation's element) times `weight` is `product`, what the shader added; a start that is no product (a
    bias, a zero) has `value` None and counts with weight 1. `expected` is the product that the oracle has for the same
    element; None where it has none, as for a read that should not have been. `running` and `expected_running` are the
    two sums behind this term. `share` is |product| over the sum of all terms' |product|. `wrong` says that the term
    is not the oracle's by more than rounding explains, `fault` in which way, `text` that in a person's words.
    """

    step: int
    reads: tuple[Read, ...]
    value: Number | None
    weight: Number | None
    product: float
    expected: float | None
    running: float
    expected_running: float
    share: float
    wrong: bool
    fault: TermFault = ""
    text: str = ""


@dataclass(frozen=True)
class Missing:
    """A product that the oracle adds and the fragment never did: `element` of the texture `key`, and how much."""

    key: str
    element: int
    product: float


@dataclass(frozen=True)
class Sums:
    """The terms of the fragment's sum, in its order; `first_wrong` is the index of the first that is not the oracle's.

    `accumulator` is the name of the variable that the terms were added to. `missing` are products that were never
    added. Where the sum could not be told (an accumulator that the numbers do not prove, a window of a longer trace)
    there are no terms, and `reason` says why; else `reason` says what the first wrong term is, or that none is.
    """

    terms: tuple[Term, ...]
    first_wrong: int | None
    reason: str
    accumulator: str = ""
    missing: tuple[Missing, ...] = ()
