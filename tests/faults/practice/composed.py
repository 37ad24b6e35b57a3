"""Pairs put together of two practice faults in one pass, as many as are asked for: the same ones each time."""

from __future__ import annotations

import dataclasses
import itertools
import random
from collections.abc import Sequence

from tests.faults.fresh.case import Planted, Swap
from tests.faults.fresh.cases import Case, cases_of


def composed(style: str, home: str, count: int) -> tuple[Case, ...]:
    """`count` pairs of a style's faults at most, of other files or of texts that are apart."""
    faults = [case for case in cases_of(style, home) if case.kind == "fault"]
    pairs = [pair for pair in itertools.combinations(faults, 2) if _go_together(*pair)]
    return tuple(_pair(*pair) for pair in random.Random(style).sample(pairs, min(count, len(pairs))))


def _go_together(one: Case, other: Case) -> bool:
    assert isinstance(one.what, Planted)
    assert isinstance(other.what, Planted)
    if one.folder != other.folder or one.what.culprit != other.what.culprit:
        return False
    causes = {*one.what.causes}, {*other.what.causes}
    return not causes[0] & causes[1] and _are_apart(one, other)


def _are_apart(one: Case, other: Case) -> bool:
    """Whether the texts of both stand in the right files, and after one was swapped the other still does, once."""
    for first, second in ((one.swaps, other.swaps), (other.swaps, one.swaps)):
        texts: dict[str, str] = {}
        for swap in (*first, *second):
            text = texts.get(swap.file) or (one.folder / swap.file).read_text(encoding="utf-8")
            if text.count(swap.old) != 1:
                return False
            texts[swap.file] = text.replace(swap.old, swap.new)
        if not _all_stand(first, texts) or not _all_stand(second, texts):
            return False
    return True


def _all_stand(swaps: Sequence[Swap], texts: dict[str, str]) -> bool:
    return all(swap.new in texts[swap.file] for swap in swaps)


def _pair(one: Case, other: Case) -> Case:
    assert isinstance(one.what, Planted)
    assert isinstance(other.what, Planted)
    what = dataclasses.replace(
        one.what,
        name=f"{one.what.name}, and {other.what.name}",
        swaps=(*one.swaps, *other.swaps),
        others=other.what.causes,
        in_text=one.what.in_text and other.what.in_text,
    )
    return Case(one.style, "pair", what, one.folder)
