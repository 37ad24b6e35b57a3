"""All cases; a subject more is a module more."""

from __future__ import annotations

from tests.conformance.contrib import activations, attention, elsewhere, matrices, normalised, quantised
from tests.conformance.contrib.case import Case

CASES: tuple[Case, ...] = (
    *activations.CASES,
    *attention.CASES,
    *quantised.CASES,
    *normalised.CASES,
    *matrices.CASES,
    *elsewhere.CASES,
)
