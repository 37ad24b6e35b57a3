"""Names terms that a formula leaves out, has beyond the model's, or has several times."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Mapping, Sequence

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.divergences.counted import counted_places
from texelscope.pipeline.diagnose.divergences.seen import Seen, coordinates, output_coordinates
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of
from texelscope.pipeline.symbolic.canonical import Place
from texelscope.pipeline.symbolic.kinds import Missed
from texelscope.pipeline.symbolic.pass_divergences import PassDivergences

Terms = Sequence[tuple[int, Missed]]
# Kernels have rows and columns if their weights have so many axes. Lanes of a texel.
_KERNEL_AXES, _LANES = 4, 4


def seen_in_missed(found: PassDivergences, inner: Terms) -> Seen | None:
    """Names terms that are there without need, or are not there; None for functions and factors."""
    if any(each.function or each.is_factor for _, each in inner):
        return None
    extra = [each for each in inner if each[1].is_extra]
    lost = [each for each in inner if not each[1].is_extra]
    if not lost:
        return _of_extra(found, extra)
    if not extra:
        return _of_lost(found, lost)
    return _of_both(found, extra, lost)


# -- more -------------------------------------------------------------------------------------------------------------


def _of_extra(found: PassDivergences, extra: Terms) -> Seen | None:
    if all(each.times > 1.0 for _, each in extra):
        if not any(facts_of(node).window or facts_of(node).accumulator for node in found.nodes):
            return None
        times = {round(each.times) for _, each in extra}
        parameters = {"times": times.pop(), **counted_places(found, _by_element(extra))} if len(times) == 1 else {}
        return Seen(causes.DOUBLE_COUNTED, "adds terms more than once", parameters)
    tensor = extra[0][1].place[0]
    if any(each.times > 1.0 for _, each in extra):  # some again, and others for the first time
        return Seen(causes.EXTRA_CHANNELS, f"adds terms of '{tensor}' that the model does not have")
    weights = _weights_of(extra)
    if weights is not None and (of_others := _of_other_outputs(found, extra, weights)) is not None:
        return of_others
    if _has_window(found):
        is_known = weights is not None and _has_kernel(found, weights) and _are_elements(weights)
        return _beyond(found, extra, weights) if weights is not None and is_known and _is_plain_window(found) else None
    return Seen(causes.EXTRA_CHANNELS, f"adds terms of '{tensor}' that the model does not have")


def _of_other_outputs(found: PassDivergences, extra: Terms, weights: Sequence[Place]) -> Seen | None:
    """Recognises sums of other output channels, by whose weights they are."""
    at = coordinates(found, weights)
    if at is None or not _has_kernel(found, weights) or not _is_plain_window(found):
        return None
    outputs = output_coordinates(found, [element for element, _ in extra])
    if (at[:, 0] == outputs[:, 1]).any():
        return None
    return Seen(causes.ACCUMULATOR_NOT_RESET, "adds the sums of other output channels too")


def _beyond(found: PassDivergences, extra: Terms, weights: Sequence[Place]) -> Seen:
    """Names what is read for taps beyond the picture: an element of the same picture, or what lies beside it."""
    places = [each.place for _, each in extra]
    at = coordinates(found, places)
    tensor = places[0][0]
    if at is None:
        return Seen(causes.TILE_BLEED, f"reads padding of '{tensor}' beyond the picture's border")
    kernel = coordinates(found, weights)
    groups: dict[int, set[int]] = defaultdict(set)
    for read, tap in zip(at[:, 1].tolist(), kernel[:, 1].tolist() if kernel is not None else [], strict=False):
        groups[tap].add(read)
    is_of_own = kernel is not None and all(len(each) == 1 for each in groups.values())
    is_of_own = is_of_own and all({tap} == reads for tap, reads in groups.items())
    if is_of_own:
        return Seen(causes.PADDING_MODE, f"reads elements of '{tensor}' where taps lie beyond its border")
    return Seen(causes.TILE_BLEED, f"reads another channel of '{tensor}' beyond the picture's border")


# -- less -------------------------------------------------------------------------------------------------------------


def _of_lost(found: PassDivergences, lost: Terms) -> Seen | None:
    tensors = {each.place[0] for _, each in lost}
    added = {name for node in found.nodes if _adds(node) for name in node.inputs}
    summed = {name for node in found.nodes if _sums(node) for name in node.inputs}
    if len(lost) == len({element for element, _ in lost}) and tensors <= added - summed:
        return Seen(causes.BIAS_MISSING, f"does not add '{lost[0][1].place[0]}'")
    if all(facts_of(node).moves or facts_of(node).may_move for node in found.nodes):
        return None
    weights = _weights_of(lost)
    tensor = lost[0][1].place[0]
    if weights is not None and _has_kernel(found, weights) and _has_window(found):
        return _of_kernel(found, lost, weights, tensor)
    if any(facts_of(node).window in ("mean", "largest") for node in found.nodes):
        return Seen(causes.MISSING_TAPS, f"leaves out elements of '{tensor}' in its window")
    if _is_every_fourth(lost):
        return Seen(causes.DROPPED_LANE, f"leaves out one lane of four of '{tensor}'")
    return Seen(causes.MISSING_CHANNELS, f"leaves out terms of '{tensor}'")


def _of_kernel(found: PassDivergences, lost: Terms, weights: Sequence[Place], tensor: str) -> Seen | None:
    at, told = coordinates(found, weights), counted_places(found, _by_element(lost))
    if at is None:
        return None
    _, _, rows, columns = as_nchw(found.shapes[weights[0][0]])
    taps = {tuple(each) for each in at[:, 2:].tolist()}
    channels = set(at[:, 1].tolist())
    every = set(range(as_nchw(found.shapes[weights[0][0]])[1]))
    if channels == every and len(taps) == rows * columns:
        return None  # nothing is read at all, or elsewhere
    if len(taps) < rows * columns and channels == every:
        return Seen(causes.MISSING_TAPS, f"leaves out {len(taps)} of {rows * columns} taps of '{tensor}'", told)
    if len(taps) < rows * columns and len(every) == 1:
        return Seen(causes.MISSING_TAPS, f"leaves out taps of '{tensor}'", told)
    if _are_lanes([*channels]):
        return Seen(causes.DROPPED_LANE, f"leaves out one channel of four of '{tensor}'", told)
    return Seen(causes.MISSING_CHANNELS, f"leaves out {len(channels)} of {len(every)} channels of '{tensor}'", told)


def _is_every_fourth(lost: Terms) -> bool:
    """Whether all terms that an element lacks lie four places apart, and there are several."""
    by_element: dict[int, list[int]] = defaultdict(list)
    for element, each in lost:
        by_element[element].append(each.place[1])
    return all(map(_are_lanes, by_element.values()))


def _are_lanes(places: Sequence[int]) -> bool:
    """Whether places are those of one lane of consecutive texels."""
    steps = {b - a for a, b in itertools.pairwise(sorted(set(places)))}
    return steps == {_LANES}


# -- others -----------------------------------------------------------------------------------------------------------


def _of_both(found: PassDivergences, extra: Terms, lost: Terms) -> Seen | None:
    """Names terms in place of others: the same elements with other weights, as far as each has its partner."""
    steps = _tap_steps(found, extra, lost)
    if steps is not None and len({tuple(each) for each in steps}) == 1 and any(steps[0]):
        down, right = steps[0]
        return Seen(causes.SHIFT, f"reads taps {right:+d} columns and {down:+d} rows off")
    return None


def _tap_steps(found: PassDivergences, extra: Terms, lost: Terms) -> list[tuple[int, int]] | None:
    """Returns how far the taps by which an element is multiplied have moved; None where that is not known."""
    pairs: list[tuple[Place, Place]] = []
    for element in {each for each, _ in extra}:
        got = {each.place: each.weight for at, each in extra if at == element and each.weight is not None}
        right = {each.place: each.weight for at, each in lost if at == element and each.weight is not None}
        pairs += [(got[place], right[place]) for place in got.keys() & right.keys()]
    if not pairs or not _has_kernel(found, [pair[0] for pair in pairs]):
        return None
    one, other = (coordinates(found, [pair[side] for pair in pairs]) for side in (0, 1))
    if one is None or other is None or (one[:, :2] != other[:, :2]).any():
        return None
    return [(int(down), int(right)) for down, right in (one - other)[:, 2:].tolist()]


def _by_element(terms: Terms) -> Mapping[int, frozenset[Place]]:
    """Returns the weights of each output element's terms."""
    found: dict[int, set[Place]] = defaultdict(set)
    for element, each in terms:
        found[element] |= {each.weight} if each.weight is not None else set()
    return {element: frozenset(weights) for element, weights in found.items()}


def _weights_of(terms: Terms) -> list[Place] | None:
    """Returns the weights of terms; None if some have none, or they are of several tensors."""
    weights = [each.weight for _, each in terms if each.weight is not None]
    return weights if len(weights) == len(terms) and len({tensor for tensor, _ in weights}) == 1 else None


def _are_elements(weights: Sequence[Place]) -> bool:
    return all(index >= 0 for _, index in weights)


def _has_kernel(found: PassDivergences, weights: Sequence[Place]) -> bool:
    return len(found.shapes.get(weights[0][0], ())) == _KERNEL_AXES


def _has_window(found: PassDivergences) -> bool:
    return any(facts_of(node).window in ("convolution", "transposed") for node in found.nodes)


def _is_plain_window(found: PassDivergences) -> bool:
    return [facts_of(node).window for node in found.nodes if facts_of(node).window is not None] == ["convolution"]


def _sums(node: Node) -> bool:
    """Whether a node sums up elements of one tensor."""
    facts = facts_of(node)
    return facts.means or facts.accumulator is not None


def _adds(node: Node) -> bool:
    """Whether a node adds its inputs, or subtracts one."""
    facts = facts_of(node)
    return facts.adds or (facts.pointwise and facts.neutral[-1:] == (0.0,))
