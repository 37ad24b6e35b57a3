"""pack_padding: the wrong values are those of a tensor that is padded to packs of lanes where its texture is not.

Or the other way round: its batches follow each other without padding, where the texture starts each with a new pack.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from numpy.typing import NDArray

from texelscope.layouts.base import Layout
from texelscope.layouts.shapes import Dims
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.evidence.evidence import ReadTensor
from texelscope.pipeline.diagnose.evidence.stored_values import Beyond, RearrangedValues
from texelscope.pipeline.diagnose.fault_models.moved import moved_output, reads_elements, same
from texelscope.pipeline.diagnose.fault_models.padded_runs import PaddedRun, padded_runs
from texelscope.pipeline.diagnose.model_slice.model_slice import InputMove, ModelEdit
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, LineOf, Rule, Stage
from texelscope.pipeline.plan import StoredTensor

Array = NDArray[Any]
_BEYOND: tuple[Beyond, ...] = ("texel", "fetch")


class PackPadding(Rule):
    """Batches, channels or rows follow each other without padding where the texture pads them, or the other way round.

    A texel holds four channels of one batch: what is left of the last texel of a batch is padding.
    """

    cause = causes.PACK_PADDING
    stage = Stage.PLACES

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes every other padding of the output, and of each input."""
        stored = case.output
        own_text = stored.layout.glsl_element_at(stored.shape, "Y_element")
        if not case.text.contains(own_text) and not case.wrong_are_alike:
            for weight, run in enumerate(padded_runs(stored.layout, case.dims)):
                change = moved_output(case, partial(run.from_own, case.dims), "zero")
                says = f"the output is written as {stored.layout} {run.says}"
                yield self._hypothesis(says, stored, run, change, lines.target, 1.0 + weight / 100.0)
        for read in case.evidence.reads:
            if (not read.sampler.kind.has_slices or read.sampler.size) and not case.reads_rightly(read.tensor):
                yield from self._read(case, read)

    def _read(self, case: FailingPass, read: ReadTensor) -> Iterator[Hypothesis]:
        stored, values = read.values.stored, read.values
        accessor = f"{read.sampler.uniform.removeprefix('t_')}_texel"
        if case.text.contains(stored.layout.glsl_texel_of(stored.shape, accessor)):
            return
        for weight, run in enumerate(padded_runs(stored.layout, values.dims)):
            formula = partial(_texel_at, stored.layout, run)
            rearranged = RearrangedValues(stored, values.texels, values.wrap, formula)
            for beyond in _BEYOND if reads_elements(rearranged) else ():
                change = InputMove(read.tensor, rearranged, same, beyond)
                says = f"'{read.tensor}' is read as {stored.layout} {run.says}"
                yield self._hypothesis(says, stored, run, change, lines.read(read.tensor), 1.5 + weight / 100.0)

    def _hypothesis(
        self, says: str, stored: StoredTensor, run: PaddedRun, change: ModelEdit, line: LineOf, prior: float
    ) -> Hypothesis:
        return Hypothesis(
            self.cause,
            f"{says}, but the texture has {run.has}",
            run.remedy,
            {"tensor": stored.tensor, "length": run.length},
            (change,),
            line=line,
            prior=prior,
        )


def _texel_at(
    layout: Layout, run: PaddedRun, dims: Dims, n: Array, c: Array, h: Array, w: Array
) -> tuple[Array, Array, Array]:
    return layout.texel_at(dims, *run.to_own(dims, n, c, h, w))
