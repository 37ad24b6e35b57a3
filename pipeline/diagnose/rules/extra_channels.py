"""extra_channels: the wrong values are those of the layer with terms that lie behind the last one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.taken_channels import channels_behind
from pipeline.diagnose.clues.weights import right_values, weight_read
from pipeline.diagnose.evidence.evidence import ReadTensor
from pipeline.diagnose.evidence.stored_values import Beyond
from pipeline.diagnose.mistakes.local_response import windows
from pipeline.diagnose.mistakes.reductions import Reduction, more, reductions
from pipeline.diagnose.redo.redo import Change, NodeChange
from pipeline.diagnose.redo.window_sum import WindowSum
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import window_with
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule
from pipeline.graph import Node
from pipeline.operators.families.registry import facts_of

Array = NDArray[Any]


# What reads of the picture and of the weights behind their last channel give.
_BEYOND: tuple[tuple[Beyond, Beyond], ...] = (("texel", "texel"), ("fetch", "fetch"), ("texel", "zero"))


class ExtraChannels(Rule):
    """More channels (or terms) are read than there are: padding lanes, the next group, the next picture."""

    cause = "extra_channels"
    band = Band.WINDOW

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Padding lanes that are not zero, channels behind the last, elements behind a row of a softmax."""
        found = case.redrawn("unpadded")
        if found is not None and case.differ("unpadded", case.before_sampling):
            yield Hypothesis(
                self.cause, "with zeros in the inputs' padding lanes",
                "Stop at the last channel, or have whoever makes the input write zeros beyond it.", {},
                values=found[0], covers=found[1], is_cure=True, line=lines.summand(), weight=0.5,
                order=2,
            )  # fmt: skip
        for window in case.windows():
            if window.kind == "sum" and window.weights is not None:
                for extra in (1, 2, 3, 4):
                    yield from self._more(case, window, extra)
        for node in case.redo.nodes_with(lambda facts: facts.window == "product"):
            for extra in (1, 2, 3, 4):
                yield from self._product(case, node, extra)
        for reduction in reductions(case):
            for extra in (1, 2, 3, 4, -1):
                for where, added in more(case, reduction, extra):
                    yield from self._longer(reduction, where, added)
        for node, extra, text, local in windows(case):
            if extra > 0:
                says = f"{node.op_type} sums over a window {text}"
                yield self._hypothesis(says, "Stop the loop at the window's end.", extra, local, 1.0)

    def _more(self, case: Case, window: WindowSum, extra: int) -> Iterator[Hypothesis]:
        node = next(each for each in case.redo.nodes if each.name == window.node)
        image, weights = case.read_of(node.inputs[0]), weight_read(case, window.node)
        assert window.weights is not None
        count = window.channels.shape[1]
        for weight, (beyond_image, beyond_weights) in enumerate(_BEYOND):
            more = (
                channels_behind(image, extra, beyond_image)
                if image is not None and len(image.values.stored.shape) == 4
                else None
            )
            source = window.source if more is None else np.concatenate([window.source, more], axis=1)
            channels = np.concatenate(
                [window.channels, window.channels[:, -1:] + np.arange(1, extra + 1)], axis=1
            )  # the next group's, or those behind the last
            if channels.max() >= source.shape[1]:
                continue
            kind = facts_of(node).window
            if weights is not None and beyond_weights != "zero" and kind in ("convolution", "transposed"):
                added = _filters(window, weights, extra, beyond_weights, transposed=kind == "transposed")
            else:
                added = np.repeat(window.weights[:, -1:], extra, axis=1)
            if not added.any():
                continue

            change = window_with(
                window.node,
                source=source,
                channels=channels,
                weights=np.concatenate([window.weights, added], axis=1),
                stored=None,
            )
            says = f"reads {extra} channel{'s' * (extra > 1)} beyond the {count} there are"
            yield self._hypothesis(says, f"Stop the loop at channel {count - 1}.", extra, change, 1.0 + weight / 100)

    def _longer(self, reduction: Reduction, where: str, added: Array) -> Iterator[Hypothesis]:
        """A reduction that takes in elements `added` [G, E]."""
        count = added.shape[1]
        for divide in (False, True) if reduction.means else (False,):
            change = reduction.change(lambda rows: np.concatenate([rows, added], axis=1), divide=divide)
            says = f"{reduction.node.op_type} takes in {count} element{'s' * (count > 1)} {where}"
            yield self._hypothesis(says, "Stop the loop at the end of the row.", count, change, 1.0 + divide / 1000)

    def _product(self, case: Case, node: Node, extra: int) -> Iterator[Hypothesis]:
        """A matrix product that reads on behind the last column of the first and the last row of the second."""
        first, second = (case.read_of(name) for name in node.inputs[:2])
        if first is None or second is None:
            return
        across = 2 if node.attributes.get("transA", 0) else 3
        down = 3 if node.attributes.get("transB", 0) else 2
        scale = np.float32(node.attributes.get("alpha", 1.0))
        for beyond in ("texel", "fetch"):
            a, b = _behind(case, first, across, extra, beyond), _behind(case, second, down, extra, beyond)
            term = (a if across == 3 else a.swapaxes(2, 3)) @ (b if down == 2 else b.swapaxes(2, 3)) * scale
            if term.size == case.redo.values[node.outputs[0]].size and term.any():
                change = NodeChange(node.name, _plus(case, term))
                says = f"reads {extra} term{'s' * (extra > 1)} beyond the {first.values.dims[across]} there are"
                remedy = f"Stop the loop at term {first.values.dims[across] - 1}."
                yield self._hypothesis(says, remedy, extra, change, 1.05 + (beyond == "fetch") / 100)

    def _hypothesis(self, says: str, remedy: str, count: int, change: Change, weight: float) -> Hypothesis:
        weight += count / 10
        line = lines.summand()
        return Hypothesis(self.cause, says, remedy, {"count": count}, (change,), line=line, weight=weight)


def _plus(case: Case, term: Array):  # type: ignore[no-untyped-def]
    def change(node: Node, inputs: Sequence[Array | None]) -> Array:
        result = case.redo.run_node(node, inputs)
        return np.asarray(result + term.reshape(result.shape), dtype=np.float32)

    return change


def _behind(case: Case, read: ReadTensor, axis: int, extra: int, beyond: Beyond) -> Array:
    """[N, C, H, W] but for `extra` along the axis: what the layout's formula gives behind its last place."""
    constant = read.values.stored.role == "constant" and case.redo.graph is not None
    values = right_values(case, read.tensor) if constant else read.values
    grid = [np.arange(size) for size in values.dims]
    grid[axis] = values.dims[axis] + np.arange(extra)
    n, c, h, w = np.ix_(*grid)
    return values.read(n, c, h, w, beyond)


def _filters(window: WindowSum, read: ReadTensor, extra: int, beyond: Beyond, *, transposed: bool) -> Array:
    """[O, extra, P, Q]: what is found as weights of inputs behind a group's last; transposed ones lie by input."""
    o, e = np.arange(len(window.channels))[:, None, None, None], np.arange(extra)[None, :, None, None]
    count, p, q = window.channels.shape[1], np.arange(window.kernel[0])[:, None], np.arange(window.kernel[1])
    if not transposed:
        return read.values.read(o, count + e, p, q, beyond)
    per_group = len(window.channels) // window.groups
    found = read.values.read((o // per_group + 1) * count + e, o % per_group, p, q, beyond)
    return found[..., ::-1, ::-1]
