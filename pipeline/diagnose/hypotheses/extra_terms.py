"""Proposes terms too many in a sum: beyond the last one, counted twice, or left over from the sum before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.evidence.evidence import ReadTensor
from texelscope.pipeline.diagnose.evidence.stored_values import Beyond
from texelscope.pipeline.diagnose.fault_models.layer_parts import weight_read
from texelscope.pipeline.diagnose.fault_models.reductions import (
    ReductionMistake,
    inner_products,
    more,
    reductions,
    windows,
)
from texelscope.pipeline.diagnose.index_maps.weights_there import solved
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit, NodeChange
from texelscope.pipeline.diagnose.model_slice.window_sum import WindowSum, in_view
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Generator, Hypothesis, Stage
from texelscope.pipeline.diagnose.trial.model_edits import window_with
from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.facts import Accumulator
from texelscope.pipeline.operators.families.registry import facts_of

Array = NDArray[Any]


# What reads beyond the last channel return, of the picture and of the weights.
_BEYOND: tuple[tuple[Beyond, Beyond], ...] = (("texel", "texel"), ("fetch", "fetch"), ("texel", "zero"))


_extra = partial(Hypothesis, causes.EXTRA_CHANNELS, line=lines.summand())


def _extra_channels(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes channels beyond the last, and elements beyond a row of a softmax."""
    for window in case.windows():
        if window.kind == "sum" and window.weights is not None:
            for extra in (1, 2, 3, 4):
                yield from _more(case, window, window.weights, extra)
    for reduction in reductions(case):
        for extra in (1, 2, 3, 4, -1):
            for where, added in more(reduction, extra):
                yield from _longer(reduction, where, added)
    for node, extra, text, local in windows(case):
        if extra > 0:
            says, remedy = f"{node.op_type} sums over a window {text}", "Stop the loop at the window's end."
            yield _extra(says, (local,), {"count": extra}, remedy=remedy, prior=1.0 + extra / 10)


def _more(case: FailingPass, window: WindowSum, weights: Array, extra: int) -> Iterator[Hypothesis]:
    node = case.model_slice.named(window.node)
    kind, image, read = facts_of(node).window, case.read_of(node.inputs[0]), weight_read(case, window.node)
    count = window.channels.shape[1]
    # The next group's, or those beyond the last.
    channels = np.concatenate([window.channels, window.channels[:, -1:] + np.arange(1, extra + 1)], axis=1)
    for number, (beyond_image, beyond_weights) in enumerate(_BEYOND):
        source = window.source
        if image is not None and len(image.values.stored.shape) == 4:
            source = np.concatenate([source, _behind(image, extra, beyond_image)], axis=1)
        if channels.max() >= source.shape[1]:
            continue
        added = np.repeat(weights[:, -1:], extra, axis=1)
        if read is not None and beyond_weights != "zero" and kind in ("convolution", "transposed"):
            added = _filters(window, read, extra, beyond_weights, transposed=kind == "transposed")
        if not added.any():
            continue
        longer = np.concatenate([weights, added], axis=1)
        change = window_with(window.node, source=source, channels=channels, weights=longer, stored=None)
        yield _extra(
            f"reads {extra} channel{'s' * (extra > 1)} beyond the last of {count}", (change,), {"count": extra},
            remedy=f"Stop the loop at channel {count - 1}.", prior=1.0 + number / 100 + extra / 10,
        )  # fmt: skip


def _longer(reduction: ReductionMistake, where: str, added: Array) -> Iterator[Hypothesis]:
    """Proposes a reduction over the elements `added` [G, E] too."""
    count = added.shape[1]
    for divide in (False, True) if reduction.means else (False,):
        change = reduction.change(lambda rows: np.concatenate([rows, added], axis=1), divide=divide)
        yield _extra(
            f"{reduction.node.op_type} includes {count} element{'s' * (count > 1)} {where}", (change,),
            {"count": count}, remedy="Stop the loop at the end of the row.", prior=1.0 + divide / 1000 + count / 10,
        )  # fmt: skip


def _behind(read: ReadTensor, extra: int, beyond: Beyond) -> Array:
    """Returns [N, extra, H, W]: the values at the layout's positions of channels beyond the last."""
    N, C, H, W = read.values.dims
    n, c = np.arange(N)[:, None, None, None], C + np.arange(extra)[:, None, None]
    return np.asarray(read.values.read(n, c, np.arange(H)[:, None], np.arange(W), beyond))


def _filters(window: WindowSum, read: ReadTensor, extra: int, beyond: Beyond, *, transposed: bool) -> Array:
    """Returns [O, extra, P, Q]: the values read as weights beyond a group's last input; by input if transposed."""
    o, e = np.arange(len(window.channels))[:, None, None, None], np.arange(extra)[None, :, None, None]
    count, p, q = window.channels.shape[1], np.arange(window.kernel[0])[:, None], np.arange(window.kernel[1])
    if not transposed:
        return read.values.read(o, count + e, p, q, beyond)
    per_group = len(window.channels) // window.groups
    found = read.values.read((o // per_group + 1) * count + e, o % per_group, p, q, beyond)
    return found[..., ::-1, ::-1]


@dataclass(frozen=True)
class Running:
    """A node whose accumulator is not reset, its description, and the result."""

    says: str
    change: NodeChange


def over_lanes(case: FailingPass) -> Iterator[Running]:
    """Yields every node with an accumulator whose result fills the output's lanes: element k of a texel sums 0 to k."""
    if case.output.layout.lanes < 2:
        return
    for node in case.model_slice.nodes:
        if case.model_slice.values[node.outputs[0]].shape != case.output.shape:
            continue
        window, accumulator = case.model_slice.window(node), facts_of(node).accumulator
        if window is not None and window.kind == "sum":
            yield from _of_window(case, node, window)
        elif accumulator is not None:
            yield _of_result(case, node, accumulator)


def over_rows(case: FailingPass) -> Iterator[Running]:
    """Yields every window: a row's sum continues that of the row before, and is added to the total as well."""
    for node in case.model_slice.nodes:
        window = case.model_slice.window(node)
        if window is not None and window.kind != "largest" and window.kernel[0] > 1 and window.inner == (0, 0):
            says = "the sum of a row continues from the rows before it"
            yield Running(says, _always(case, node, _rows_kept(window).reshape(window.shape)))


def lanes_folded(case: FailingPass, values: Array, fold: np.ufunc) -> Array:
    """Returns [N, C, H, W]: each element combined with those in the lanes before it; empty lanes are skipped."""
    padding = {"maximum": -np.inf, "minimum": np.inf, "multiply": 1.0}.get(fold.__name__, 0.0)
    texels = case.to_texels(np.asarray(values, dtype=np.float32), padding)
    return case.of_texels(np.asarray(fold.accumulate(texels, axis=2), dtype=np.float32))


def _of_window(case: FailingPass, node: Node, window: WindowSum) -> Iterator[Running]:
    """The bias may be part of each sum, or be added afterwards."""
    without = window.replaced(bias=None)
    sums, alone = (in_view(each.evaluate(), window.shape) for each in (window, without))
    every = "every lane holds the sums of the lanes before it too"
    yield Running(f"{every} (the sum and its bias)", _always(case, node, lanes_folded(case, sums, np.add)))
    if window.bias is not None:
        total = lanes_folded(case, alone, np.add) + (sums - alone)
        yield Running(f"{every} (the sum alone)", _always(case, node, total))


def _rows_kept(window: WindowSum) -> Array:
    """Sums over the rows inside the picture the sums of all rows up to each; a mean divides by its count."""
    every = frozenset((p, q) for p in range(window.kernel[0]) for q in range(window.kernel[1]))
    plain = window.replaced(bias=None, count=1.0)
    running: Array = np.zeros(1, dtype=np.float32)
    total: Array = np.zeros(1, dtype=np.float32)
    for p, at in enumerate(window.places(0)):
        inside = ((at >= 0) & (at < window.source.shape[2]))[:, None]
        running = running + plain.replaced(left_out=every - {(p, q) for q in range(window.kernel[1])}).evaluate()
        total = total + np.where(inside, running, 0.0)
    right = plain.evaluate()
    with np.errstate(all="ignore"):
        if window.kind == "mean":
            counted = window.replaced(source=np.ones_like(window.source), count=1.0).evaluate()
            return total / (counted if window.count == "inside" else window._count())
        return window.evaluate() - right + total


def _of_result(case: FailingPass, node: Node, accumulator: Accumulator) -> Running:
    value = np.asarray(case.model_slice.values[node.outputs[0]], dtype=np.float64)
    with np.errstate(all="ignore"):
        made = accumulator.finish(lanes_folded(case, accumulator.start(value), accumulator.by))
    return Running("every lane continues from the lanes before it", _always(case, node, made))


def _always(case: FailingPass, node: Node, value: Array) -> NodeChange:
    made = np.asarray(value, dtype=np.float32).reshape(case.model_slice.values[node.outputs[0]].shape)
    return NodeChange(node.name, lambda _node, _inputs: made)


def _accumulator_not_reset(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes sums that continue from lane to lane or row to row, and partial sums written inside a loop."""
    for number, running in enumerate(over_lanes(case)):
        yield _continued(running.says, running.change, "lanes", prior=1.0 + number / 100.0)
    yield from _loops(case)
    for number, running in enumerate(over_rows(case)):
        yield _continued(running.says, running.change, "rows", prior=1.3 + number / 100.0)


def _loops(case: FailingPass) -> Iterator[Hypothesis]:
    """The sum is added to the result at every step of a loop: channel i counts (count - i) times."""
    for window in case.windows():
        count = window.channels.shape[1]
        if window.kind != "sum" or window.weights is None or count < 2:
            continue
        change = window_with(window.node, weights=window.weights * _counting_down(count)[:, None, None])
        says = "each channel's partial sum is added to the result again for every later channel"
        remedy = "Write the result after the loops, not inside them."
        yield _continued(says, change, "channels", remedy=remedy, prior=1.2)
    for product in inner_products(case):
        says = "each term's partial sum is added to the result again for every later term"
        remedy, change_of = (
            "Write the result after the loop, not inside it.",
            product.times(_counting_down(product.count)),
        )
        yield _continued(says, change_of, "terms", remedy=remedy, prior=1.21)


def _counting_down(count: int) -> Array:
    return np.arange(count, 0, -1, dtype=np.float32)


def _continued(says: str, change: ModelEdit, of: str, **rest: Any) -> Hypothesis:
    line = lines.first(_summing, _keeping, lines.result)
    return Hypothesis(causes.ACCUMULATOR_NOT_RESET, says, (change,), {"of": of}, line=line, **rest)


def _summing(case: FailingPass) -> Line | None:
    """Returns the line of the sum that is not reset."""
    sums = case.text.sums()
    return sums[-1].line if sums else None


def _keeping(case: FailingPass) -> Line | None:
    """Returns the line of a variable that lives longer than the function that computes one element."""
    kept = case.text.kept()
    return kept[-1] if kept else None


def _double_counted(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes products that solved weights show several times."""
    yield from solved(case, causes.DOUBLE_COUNTED)


GENERATORS = (
    Generator(causes.DOUBLE_COUNTED, Stage.DRAWING, _double_counted),
    Generator(causes.EXTRA_CHANNELS, Stage.WINDOW, _extra_channels),
    Generator(causes.ACCUMULATOR_NOT_RESET, Stage.PARTS, _accumulator_not_reset),
)
