"""Names other numbers in a formula: a factor of everything, a number that is added, one inside a root."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.divergences.borders import is_at_border
from texelscope.pipeline.diagnose.divergences.seen import Seen
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of
from texelscope.pipeline.symbolic.canonical import Place
from texelscope.pipeline.symbolic.kinds import Numbered, near
from texelscope.pipeline.symbolic.pass_divergences import PassDivergences

Array = NDArray[Any]
# An epsilon is at most this.
_SMALL = 0.1
# Functions that need an epsilon beside what they are of.
_ROOTS = frozenset({"sqrt", "reciprocal", "log", "pow"})
# A mean is of so many terms: a factor of 2 or 3/2 says nothing of a count.
_FEWEST_TERMS, _MOST_TERMS = 6, 100_000


def seen_in_factor(found: PassDivergences, factor: float, inside: str) -> Seen:
    """Names a number that everything, or the argument of a function, is multiplied by."""
    says = f"has {factor:.6g} times the model's sum" + (f" inside {inside}" if inside else "")
    return Seen(causes.AVERAGE_COUNT if factor > 0.0 and _is_count(found, factor) else causes.SCALE, says)


def seen_in_whole(found: PassDivergences, each: Numbered) -> Seen | None:
    """Names another factor of a product or of everything; None for one of a constant with several elements."""
    if each.expected == 0.0:
        return None
    if each.expected != 1.0 and _is_of_reciprocals(each):
        return Seen(causes.AVERAGE_COUNT, f"divides by {1.0 / each.got:.6g} in place of {1.0 / each.expected:.6g}")
    return seen_in_factor(found, each.got / each.expected, "" if each.inside == "curve" else each.inside)


def seen_in_added(found: PassDivergences, each: Numbered) -> Seen | None:
    """Names another addend."""
    cause = _of_added(found, each)
    if cause is None:
        return None
    return Seen(cause, f"adds {each.got:.6g} in place of {each.expected:.6g}")


def is_epsilon(found: PassDivergences, each: Numbered) -> bool:
    """Whether an addend is a small positive number for all channels."""
    larger = max(each.expected, each.got)
    scalars = all(len(found.constants.get(tensor, ())) <= 1 for tensor, _ in (*each.expected_at, *each.got_at))
    return scalars and min(each.expected, each.got) >= 0.0 and 0.0 < larger <= _SMALL


def _of_added(found: PassDivergences, each: Numbered) -> Cause | None:
    right, got = Counter(each.expected_at), Counter(each.got_at)
    if each.inside in _ROOTS:
        return causes.EPSILON if is_epsilon(found, each) else None
    more, less = got - right, right - got
    if not right and not got:
        if each.expected == 0.0:
            return causes.AFFINE if abs(each.got) > _SMALL else None
        return causes.PADDING_MODE if not each.inside and is_at_border(found) else None
    if more and less:
        return _of_another(found, more, less)
    if more.total() and set(more) <= set(right):
        return causes.BIAS_DOUBLED if _is_multiple(found, each, more) else None
    if less.total() and near(each.got, 0.0, 1.0) and not got:
        if is_epsilon(found, each) and len(found.constants.get(next(iter(less))[0], ())) <= 1:
            return None
        return causes.BIAS_MISSING
    return _of_less(found, each, less) if less.total() == 1 else None


def _is_multiple(found: PassDivergences, each: Numbered, more: Mapping[Place, int]) -> bool:
    """Whether constants are added several times, in their own units or in those of the only one."""
    if len(set(each.expected_at)) == 1:
        times = each.got / each.expected if each.expected else 0.0
        return times > 1.5 and math.isclose(times, round(times), rel_tol=1e-3)
    added = sum(times * _value(found, place) for place, times in more.items())
    return near(each.got - each.expected, added)


def _value(found: PassDivergences, place: Place) -> float:
    values = found.constants.get(place[0], ())
    return float(values[place[1]]) if 0 <= place[1] < len(values) else 0.0


def _of_another(found: PassDivergences, more: Mapping[Place, int], less: Mapping[Place, int]) -> Cause | None:
    """Names one element of a constant in place of another one."""
    if sum(more.values()) != 1 or sum(less.values()) != 1:
        return None
    (tensor, _), (other, _) = next(iter(more)), next(iter(less))
    if tensor != other:
        return causes.WRONG_INPUT
    axes = sum(size > 1 for size in found.shapes.get(tensor, ()))
    return causes.BIAS_OFFSET if axes <= 1 else causes.INDEX_MAP  # a bias has one number a channel, a table has more


def _of_less(found: PassDivergences, each: Numbered, less: Mapping[Place, int]) -> Cause | None:
    """Names what happened to the one constant that is not there any more."""
    ((tensor, index),) = less
    values = found.constants.get(tensor)
    if values is None or not 0 <= index < len(values):
        return None
    if len(values) > 1 and not each.got_at and _is_among(values, each, float(values[index])):
        return causes.BIAS_OFFSET
    if near(each.got, each.expected - float(values[index]), 1e-3 * abs(each.expected)):
        return causes.BIAS_MISSING
    times = each.got / each.expected if each.expected else 0.0
    if math.isclose(times, 2.0, rel_tol=1e-3) and not each.got_at:
        return causes.BIAS_DOUBLED
    if _is_whole(abs(times)) or _is_whole(1.0 / abs(times) if times else 0.0):
        return None
    is_written = len(values) > 1 and not each.got_at and len(each.expected_at) == 1 and each.got != 0.0
    return causes.WRONG_LITERAL if is_written and each.inside != "curve" else None


def _is_among(values: Array, each: Numbered, right: float) -> bool:
    """Whether what is added is another element of a constant, in the units in which the right one is."""
    unit = each.expected / right if right and len(each.expected_at) == 1 else 1.0
    return bool(each.got) and bool(np.isclose(values, each.got / unit, rtol=1e-4, atol=0.0).any())


def _is_count(found: PassDivergences, factor: float) -> bool:
    """Whether a factor is that of another count: of a node's means, or of one term less or more."""
    facts = [facts_of(node) for node in found.nodes]
    if any(each.window == "mean" for each in facts):
        return True
    if any(each.means for each in facts):
        counts = {count for node in found.nodes if facts_of(node).means and (count := _terms_of(found, node))}
        return not counts or any(_is_whole(count / factor) for count in counts)
    for each in (factor, 1.0 / factor):
        terms = each / (each - 1.0) if each > 1.0 else 0.0
        if _FEWEST_TERMS <= terms <= _MOST_TERMS and _is_whole(terms):
            return True
    return False


def _terms_of(found: PassDivergences, node: Node) -> int:
    """Returns of how many terms a node makes a mean; 0 where its shapes are not known."""
    before, after = found.shapes.get(node.inputs[0]), found.shapes.get(node.outputs[0])
    return math.prod(before) // max(math.prod(after), 1) if before and after is not None else 0


def _is_whole(number: float) -> bool:
    return number >= 1.0 - 1e-3 and abs(number - round(number)) <= 1e-3 * number


def _is_of_reciprocals(each: Numbered) -> bool:
    """Whether both numbers are one over a count."""
    counts = [1.0 / of if of > 0.0 else 0.0 for of in (each.expected, each.got)]
    return all(of >= _FEWEST_TERMS and math.isclose(of, round(of), rel_tol=1e-4) for of in counts)
