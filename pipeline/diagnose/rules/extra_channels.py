"""extra_channels: the wrong values are those of the layer with terms beyond the last one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.evidence.evidence import ReadTensor
from texelscope.pipeline.diagnose.evidence.stored_values import Beyond
from texelscope.pipeline.diagnose.fault_models.layer_parts import weight_read
from texelscope.pipeline.diagnose.fault_models.reductions import ReductionMistake, more, reductions, windows
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit
from texelscope.pipeline.diagnose.model_slice.window_sum import WindowSum
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Rule, Stage
from texelscope.pipeline.diagnose.trial.model_edits import window_with
from texelscope.pipeline.operators.families.registry import facts_of

Array = NDArray[Any]


# What reads beyond the last channel return, of the picture and of the weights.
_BEYOND: tuple[tuple[Beyond, Beyond], ...] = (("texel", "texel"), ("fetch", "fetch"), ("texel", "zero"))


class ExtraChannels(Rule):
    """More channels (or terms) are read than there are: padding lanes, the next group, the next picture."""

    cause = causes.EXTRA_CHANNELS
    stage = Stage.WINDOW

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes channels beyond the last, and elements beyond a row of a softmax."""
        for window in case.windows():
            if window.kind == "sum" and window.weights is not None:
                for extra in (1, 2, 3, 4):
                    yield from self._more(case, window, extra)
        for reduction in reductions(case):
            for extra in (1, 2, 3, 4, -1):
                for where, added in more(reduction, extra):
                    yield from self._longer(reduction, where, added)
        for node, extra, text, local in windows(case):
            if extra > 0:
                says = f"{node.op_type} sums over a window {text}"
                yield self._hypothesis(says, "Stop the loop at the window's end.", extra, local, 1.0)

    def _more(self, case: FailingPass, window: WindowSum, extra: int) -> Iterator[Hypothesis]:
        node = next(each for each in case.model_slice.nodes if each.name == window.node)
        image, weights = case.read_of(node.inputs[0]), weight_read(case, window.node)
        assert window.weights is not None
        count = window.channels.shape[1]
        for weight, (beyond_image, beyond_weights) in enumerate(_BEYOND):
            more = (
                _behind(image, extra, beyond_image)
                if image is not None and len(image.values.stored.shape) == 4
                else None
            )
            source = window.source if more is None else np.concatenate([window.source, more], axis=1)
            channels = np.concatenate(
                [window.channels, window.channels[:, -1:] + np.arange(1, extra + 1)], axis=1
            )  # the next group's, or those beyond the last
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
            says = f"reads {extra} channel{'s' * (extra > 1)} beyond the last of {count}"
            yield self._hypothesis(says, f"Stop the loop at channel {count - 1}.", extra, change, 1.0 + weight / 100)

    def _longer(self, reduction: ReductionMistake, where: str, added: Array) -> Iterator[Hypothesis]:
        """Proposes a reduction over the elements `added` [G, E] too."""
        count = added.shape[1]
        for divide in (False, True) if reduction.means else (False,):
            change = reduction.change(lambda rows: np.concatenate([rows, added], axis=1), divide=divide)
            says = f"{reduction.node.op_type} includes {count} element{'s' * (count > 1)} {where}"
            yield self._hypothesis(says, "Stop the loop at the end of the row.", count, change, 1.0 + divide / 1000)

    def _hypothesis(self, says: str, remedy: str, count: int, change: ModelEdit, prior: float) -> Hypothesis:
        prior += count / 10
        line = lines.summand()
        return Hypothesis(self.cause, says, remedy, {"count": count}, (change,), line=line, prior=prior)


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
