"""Makes the lanes of a written texture from texels that some invocations stored, if the same holds at every place.

A texel's value is a sum over texels at known places. Relative to its own place it has to be the same sum wherever it
lies, or, where textures have different sizes, wherever it lies alike to their texels.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from texelscope.pipeline.dialects.effects.passes import EffectTexture
from texelscope.pipeline.dialects.mpv.network.block_text import Phase, ResultLanes
from texelscope.pipeline.dialects.mpv.network.values import (
    Apply,
    Atom,
    LinearForm,
    LiteralNumber,
    NotUnderstoodError,
    TextureTap,
)

# The most texels of a period, which are read one by one: no network's shader enlarges more than eightfold.
MOST_PHASES = 64
# Digits to which sums of weights agree, whatever order they were added in.
_DIGITS = 12

Place = tuple[int, int]
Stored = Mapping[Place, tuple[LinearForm, ...]]


@dataclass(frozen=True)
class PlacedLanes:
    """The lanes of a texture, and how far along x and y a texel of each texture that they read lies, for a period."""

    lanes: ResultLanes
    steps: Mapping[str, Place]

    def at(self, place: Place) -> tuple[LinearForm, ...]:
        """Returns the sums of one texel, over texels by their places."""
        (width, height), (x, y) = self.lanes.stride, place
        return tuple(map(_moving(self.steps, (x // width, y // height)).form, self.lanes.forms[x % width, y % height]))

    def with_border(self, border: str) -> PlacedLanes:
        """Returns the lanes with other texels beyond the edge where 0 was read."""

        def placed(tap: TextureTap) -> TextureTap:
            return replace(tap, border=border) if tap.border == "zero" else tap

        forms = {phase: tuple(map(_Replaced(placed).form, own)) for phase, own in self.lanes.forms.items()}
        return replace(self, lanes=self.lanes.of(forms))


def period_of(stored: Stored, target: EffectTexture, textures: Mapping[str, EffectTexture]) -> Place:
    """Returns the texels of a texture, along x and y, after which places lie alike. Raises NotUnderstoodError."""
    read = _textures_in(form for forms in stored.values() for form in forms)
    sizes = [
        math.lcm(*(Fraction(target.size[axis], textures[each].size[axis]).numerator for each in read))
        for axis in (0, 1)
    ]
    if sizes[0] * sizes[1] > MOST_PHASES:
        raise NotUnderstoodError(f"a result that repeats after {sizes[0]}x{sizes[1]} texels only")
    return sizes[0], sizes[1]


def lanes_of_texels(
    stored: Stored, target: EffectTexture, textures: Mapping[str, EffectTexture], period: Place
) -> PlacedLanes | None:
    """Returns the lanes of the stored texels of a texture that repeat after `period` texels; None if too few are known.

    Raises NotUnderstoodError where texels that lie alike are not the same sums.
    """
    steps = {key: _step(each, target, period) for key, each in textures.items()}
    forms: dict[Phase, tuple[LinearForm, ...]] = {}
    for (x, y), values in _first_and_last(stored, period):
        back = (-(x // period[0]), -(y // period[1]))
        own = tuple(map(_moving(steps, back).form, values))
        before = forms.setdefault((x % period[0], y % period[1]), own)
        if not all(map(is_alike, before, own)):
            raise NotUnderstoodError("a value that is not the same sum at every place")
    if len(forms) < period[0] * period[1]:
        return None
    return PlacedLanes(ResultLanes(period, forms), steps)


def _first_and_last(stored: Stored, period: Place) -> Iterator[tuple[Place, tuple[LinearForm, ...]]]:
    """Yields of the texels that lie alike the first and the last that are known."""
    alike: dict[Phase, list[Place]] = {}
    for x, y in stored:
        alike.setdefault((x % period[0], y % period[1]), []).append((x, y))
    for places in alike.values():
        yield from ((place, stored[place]) for place in dict.fromkeys((places[0], places[-1])))


def at_edges(form: LinearForm, textures: Mapping[str, EffectTexture]) -> LinearForm:
    """Returns a sum over texels by their places, with what is read in place of those beyond an edge."""

    def placed(tap: TextureTap) -> TextureTap | None:
        size = textures[tap.texture].size
        x, y = (min(max(tap.offset[axis], 0), size[axis] - 1) for axis in (0, 1))
        if (x, y) != tap.offset and tap.border == "zero":
            return None
        return replace(tap, offset=(x, y), step=(1, 1), border="edge")

    return _Replaced(placed).form(form)


def is_alike(left: LinearForm, right: LinearForm) -> bool:
    """Whether two sums have the same texels with the same weights, but for the last digits."""
    return left.key == right.key or _rounded(left) == _rounded(right)


def _rounded(form: LinearForm) -> tuple[object, ...]:
    terms = {
        (_rounded_atom(atom), float(f"{weight.value:.{_DIGITS}g}"))
        for atom, weight in form.terms.items()
        if weight.value
    }
    return float(f"{form.constant.value:.{_DIGITS}g}"), frozenset(terms)


def _rounded_atom(atom: Atom) -> object:
    return (atom.function, *map(_rounded, atom.arguments)) if isinstance(atom, Apply) else atom


def _step(texture: EffectTexture, target: EffectTexture, period: Place) -> Place:
    """Returns the texels of a texture in a period of the target; 0 where that is no whole number."""
    shares = [Fraction(period[axis] * texture.size[axis], target.size[axis]) for axis in (0, 1)]
    return tuple(share.numerator if share.denominator == 1 else 0 for share in shares)  # type: ignore[return-value]


class _Replaced:
    """Replaces the texels in sums, each once however many sums have it; a texel that becomes None is 0."""

    def __init__(self, place: Callable[[TextureTap], TextureTap | None]) -> None:
        self._place = place
        self._known: dict[Atom, Atom | None] = {}

    def form(self, form: LinearForm) -> LinearForm:
        """Returns a sum with its texels replaced."""
        terms: dict[Atom, LiteralNumber] = {}
        for atom, weight in form.terms.items():
            new = self._atom(atom)
            if new is None:
                continue
            before = terms.get(new)
            terms[new] = weight if before is None else LiteralNumber(before.value + weight.value, before.line)
        return LinearForm(form.constant, terms)

    def _atom(self, atom: Atom) -> Atom | None:
        if atom not in self._known:
            new: Atom | None = atom
            if isinstance(atom, TextureTap):
                new = self._place(atom)
            elif isinstance(atom, Apply):
                new = Apply(atom.function, tuple(map(self.form, atom.arguments)))
            self._known[atom] = new
        return self._known[atom]


def _moving(steps: Mapping[str, Place], periods: Place) -> _Replaced:
    """Replaces texels by those so many periods further on."""

    def placed(tap: TextureTap) -> TextureTap:
        step = steps[tap.texture]
        x, y = tap.offset[0] + step[0] * periods[0], tap.offset[1] + step[1] * periods[1]
        return TextureTap(tap.texture, tap.lane, (x, y), step, tap.border)

    return _Replaced(placed)


def _textures_in(forms: Iterable[LinearForm]) -> set[str]:
    """Returns the textures that sums read."""
    seen: set[Apply] = set()
    found: set[str] = set()
    waiting = list(forms)
    while waiting:
        for atom in waiting.pop().terms:
            if isinstance(atom, TextureTap):
                found.add(atom.texture)
            elif isinstance(atom, Apply) and atom not in seen:
                seen.add(atom)
                waiting += atom.arguments
    return found
