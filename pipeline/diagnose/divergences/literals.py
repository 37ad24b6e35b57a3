"""Names weights that are other numbers: those of other elements of a constant, or numbers that no constant has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.divergences.moves import seen_in_moves
from texelscope.pipeline.diagnose.divergences.observing import ElementDivergences, PassDivergences
from texelscope.pipeline.diagnose.divergences.seen import Seen
from texelscope.pipeline.symbolic.canonical import Place
from texelscope.pipeline.symbolic.divergence import Moved, Numbered

# Constants hold float32: a number is one of them if it agrees in so many digits.
_EXACT = 1e-5
# At least this share of the elements shows what is said: where borders repeat reads, terms are paired wrongly.
_MOST = 0.5


def seen_in_weights(found: PassDivergences, elements: Sequence[ElementDivergences]) -> Seen | None:
    """Names factors of terms that are other numbers than the model's weights; None where they are not known."""
    table = _Table(found)
    shown = Counter[str]()
    moves: list[tuple[int, Moved]] = []
    literal: Numbered | None = None
    for element in elements:
        numbers = [each for each in dict.fromkeys(element.divergences) if isinstance(each, Numbered)
                   and not each.is_added]  # fmt: skip
        here = [move for each in numbers if (move := table.moved(each)) is not None]
        written = [each for each in numbers if table.is_literal(each)]
        if numbers and len(here) == len(numbers):
            shown["moved"] += 1
            moves += [(element.element, each) for each in here]
        elif numbers and len(written) == len(numbers):
            shown["literal"] += 1
            literal = literal or written[0]
    if shown["literal"] > _MOST * len(elements) and literal is not None:
        says = f"multiplies by {literal.got:.6g} where the model has the weight {literal.expected:.6g}"
        return Seen(causes.WRONG_LITERAL, says)
    return seen_in_moves(found, moves) if shown["moved"] > _MOST * len(elements) else None


class _Table:
    """Finds numbers among the elements of the model's constants."""

    def __init__(self, found: PassDivergences) -> None:
        self._names = [name for name, values in found.constants.items() if values.size]
        self._values = np.concatenate([found.constants[name] for name in self._names] or [np.zeros(0)])
        self._starts = np.cumsum([0, *(found.constants[name].size for name in self._names)])

    def places(self, number: float) -> list[Place]:
        """Returns the elements of constants that have a value."""
        every = np.flatnonzero(np.isclose(self._values, number, rtol=_EXACT, atol=0.0)).tolist()
        owners = np.searchsorted(self._starts, every, side="right") - 1
        return [(self._names[owner], at - int(self._starts[owner])) for at, owner in zip(every, owners, strict=True)]

    def moved(self, each: Numbered) -> Moved | None:
        """Returns which element of a constant is read in place of which; None where one of both is not known."""
        right, got = self.places(each.expected), self.places(each.got)
        if len(right) != 1 or len(got) != 1:
            return None
        return Moved(right[0], got[0], True, each.row)

    def is_literal(self, each: Numbered) -> bool:
        """Whether a weight is a number that no constant has."""
        if abs(each.expected) == 1.0 or not each.got:
            return False
        return any(map(self.places, (each.expected, -each.expected))) and not self.places(each.got)
