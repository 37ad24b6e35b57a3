"""Lists the product of each read in the sum, value × weight and its share, of the fragment or of the model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from texelscope.pipeline.gl.session import Session
from texelscope.viewer.colour.shown_as import Texel
from texelscope.viewer.debugger.model.sum_rows import elements_of, read_of_value
from texelscope.viewer.reads.model.tap_filter import TapFilter

if TYPE_CHECKING:  # imported with the first fragment that is stepped through
    from texelscope.pipeline.trace.sums import FragmentSum


@dataclass(frozen=True)
class TapProduct:
    """One element read of the texture `key`: its value times its weight, and the product's share of all |products|.

    `read_with` is where the weight was read, a texture's key and a texel; None if unknown.
    """

    key: str
    texel: Texel
    element: int
    value: float
    weight: float
    product: float
    share: float = 0.0
    wrong: bool = False
    read_with: tuple[str, Texel] | None = None

    def is_at(self, key: str, texel: Texel) -> bool:
        """Returns whether the value or its weight was read there."""
        return (self.key, self.texel) == (key, texel) or self.read_with == (key, texel)

    @property
    def text(self) -> str:
        """The product as text: `0.5 × -0.25 = -0.125, 3.1 % of the sum`."""
        share = f"{100 * self.share:.3g} %"
        return f"{self.value:.6g} × {self.weight:.6g} = {self.product:.6g}, {share} of the sum"


def of_model(session: Session, shown: TapFilter | None) -> tuple[TapProduct, ...]:
    """Returns the products of the model's filter and its input's present values, largest first; empty without one."""
    if shown is None or not session.is_valid(shown.key):
        return ()
    stored = session.plan.textures[shown.key]
    values = session.tensor(shown.key).reshape(-1)
    found = []
    for element, weight in shown.weights.items():
        value = float(values[element])
        texel = stored.layout.texel_of(stored.shape, element)[:2]
        found.append(TapProduct(shown.key, texel, element, value, weight, value * weight))
    return _shared(found)


def of_fragment(sums: FragmentSum) -> tuple[TapProduct, ...]:
    """Returns the products that the fragment itself summed, largest first."""
    found = []
    for term, element in zip(sums.terms, elements_of(sums.terms), strict=True):
        if term.value is None or term.weight is None or not term.reads:
            continue
        of_value = read_of_value(term)
        other = next((read for read in term.reads if read is not of_value), None)
        found.append(
            TapProduct(
                of_value.key,
                of_value.texel,
                element,
                float(term.value),
                float(term.weight),
                term.product,
                wrong=term.wrong,
                read_with=(other.key, other.texel) if other is not None else None,
            )
        )
    return _shared(found)


def _shared(found: Iterable[TapProduct]) -> tuple[TapProduct, ...]:
    each = sorted(found, key=lambda tap: -abs(tap.product) if np.isfinite(tap.product) else -np.inf)
    whole = float(sum(abs(tap.product) for tap in each if np.isfinite(tap.product)))
    return tuple(replace(tap, share=abs(tap.product) / whole if whole else 0.0) for tap in each)
