"""Compares the running sum of one fragment with the oracle's: partial sums of the same products, in the same order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from texelscope.pipeline.plan import Plan
from texelscope.pipeline.read_trace.products import ReadProducts, products_of
from texelscope.pipeline.step_trace.increments import Segment, segments
from texelscope.pipeline.step_trace.terms import MissingProduct, SumTerm, SumTerms, TermFault, element_of
from texelscope.pipeline.step_trace.trace import Trace

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

# So many of the steps that add reads have to be proven to add products of them.
_PROVEN = 0.5


@dataclass(frozen=True)
class FragmentSum:
    """Lists the terms of the fragment's sum in order; `first_wrong` is the index of the first that the oracle lacks.

    `accumulator` is the variable that they were added to. Terms that were never added are listed as `missing` too.
    Where the sum is unknown (the numbers of the trace prove none, or it is a window of a longer trace) there are no
    terms, and `reason` says why; else `reason` describes the first wrong term, or says that none is.
    """

    terms: tuple[SumTerm, ...]
    first_wrong: int | None
    reason: str
    accumulator: str = ""
    missing: tuple[MissingProduct, ...] = ()


def sums(session: Session, trace: Trace) -> FragmentSum | None:
    """Compares the terms of the traced element with those of its operator; None where that is no sum of products.

    The activations are those that the pass really had: terms are wrong through this pass alone.
    """
    plan = session.plan
    each = plan.find(trace.pass_name)
    if each is None or trace.element is None or plan.graph is None:
        return None
    if trace.invocation is not None:
        return FragmentSum((), None, "Reads from buffers are not recorded, so the sum of an invocation is unknown.")
    products = products_of(session, each, trace.element)
    if products is None or isinstance(products, str):
        return None if products is None else FragmentSum((), None, products)
    return sum_of(plan, trace, products)


def sum_of(plan: Plan, trace: Trace, products: ReadProducts) -> FragmentSum:
    """Compares the terms of the traced element with an operator's products, in any thread."""
    if trace.first or len(trace.steps) < trace.total:
        return FragmentSum((), None, "A part of the trace was recorded; the sum needs all of it.")
    stored = plan.textures[products.key]
    found = segments(trace, products.key, products.weight_key, stored.layout.lanes)
    chosen = _chosen(found, plan, trace, products)
    if isinstance(chosen, str):
        return FragmentSum((), None, chosen)
    made = SumTerms(plan, trace, products, chosen)
    terms = made.all()
    first = next((number for number, term in enumerate(terms) if term.wrong), None)
    reason = terms[first].text if first is not None else "Every term is the oracle's, within rounding."
    return FragmentSum(tuple(terms), first, reason, chosen[0].name, tuple(made.missing))


def _chosen(found: Sequence[Segment], plan: Plan, trace: Trace, products: ReadProducts) -> list[Segment] | str:
    """Chooses the lanes of the accumulator of the traced element: one, or several that are partial sums of it."""
    adding = [each for each in found if _is_adding(each, products.key)]
    if not adding:
        return "No variable in the trace grows by products of what was read."
    most = max(each.proven for each in adding)
    best = [each for each in adding if 2 * each.proven >= most]
    each = plan.find(trace.pass_name)
    assert each is not None
    assert trace.element is not None
    output = plan.textures[each.output]
    lane, lanes = output.layout.texel_of(output.shape, trace.element)[2], output.layout.lanes
    names: dict[tuple[str, str], list[list[Segment]]] = {}
    for segment in best:
        calls = names.setdefault((segment.function, segment.name), [])
        if calls and calls[-1][0].start is segment.start:
            calls[-1].append(segment)
        else:
            calls.append([segment])
    scored = sorted(names.values(), key=lambda calls: -max(sum(s.proven for s in call) for call in calls))
    calls = scored[0]
    if len({call[0].call for call in calls}) < len(calls) != lanes:
        return _rows(calls, plan, products)
    call = calls[lane] if len(calls) == lanes else max(calls, key=lambda call: _right(call, plan, products))
    if len(call) == 1:
        return call
    alone = [segment for segment in call if segment.lane == lane]
    if not alone:
        return call
    # Lanes with complete sums are other elements'; partial sums share this one's products.
    of_all, of_one, every = _right(call, plan, products), _right(alone, plan, products), len(products.elements)
    if of_all >= 2 * of_one > 0 or (of_one == 0 and abs(_parts(call) - every) < abs(_parts(alone) - every)):
        return call
    return alone


def _rows(calls: Sequence[list[Segment]], plan: Plan, products: ReadProducts) -> list[Segment] | str:
    """Finds a sum of sums, one variable reset for each: those that together have all the operator's products."""
    right = [call for call in calls if _right(call, plan, products)]
    together = [segment for call in right for segment in call]
    if _right(together, plan, products) == len(set(zip(products.elements, products.weights, strict=True))):
        return together
    return "The sum is made in parts, and which of them are this element's is unknown."


def _parts(call: Sequence[Segment]) -> int:
    return sum(len(each.parts) for segment in call for each in segment.increments)


def _is_adding(segment: Segment, key: str) -> bool:
    of_key = [each for each in segment.increments if any(read.key == key for read in each.reads)]
    return bool(of_key) and segment.proven >= _PROVEN * len(of_key) and segment.proven > 0


def _right(call: Sequence[Segment], plan: Plan, products: ReadProducts) -> int:
    """Counts the operator's products that some lanes have between them."""
    stored = plan.textures[products.key]
    weights: dict[int, list[float]] = {}
    for element, weight in zip(products.elements, products.weights, strict=True):
        weights.setdefault(element, []).append(weight)
    found: set[tuple[int, float]] = set()
    for segment in call:
        for part in (part for each in segment.increments for part in each.parts):
            element = element_of(stored, part.read, part.lane)
            own = (
                each
                for each in weights.get(element, ())
                if any(math.isclose(part.weight * scale, each, rel_tol=1e-4) for scale in (1.0, products.scale))
            )
            found.update((element, each) for each in own)
    return len(found)


__all__ = ["FragmentSum", "MissingProduct", "SumTerm", "TermFault", "sums"]
