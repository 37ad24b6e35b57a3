"""half_precision: the result or the values read are rounded to half precision, or highp makes the result right."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from texelscope.pipeline.diagnose.clues.control import forced
from texelscope.pipeline.diagnose.fault_models.curves import NearestTo, as_half
from texelscope.pipeline.diagnose.model_slice.model_slice import OutputChange
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Rule, Stage, Traits
from texelscope.pipeline.diagnose.trial.model_edits import input_through

_MOST = 0.99


class HalfPrecision(Rule):
    """Values are rounded to half precision, when they are stored or when they are read (a `lowp` sampler)."""

    cause = "half_precision"
    stage = Stage.VALUES
    family = "storing"
    traits = Traits(
        is_rounding=True,
        confirmed_by=frozenset(
            {"accumulator_not_reset", "bias_missing", "clamped_0_1", "filter_io_swap", "scale", "wrong_function"}
        ),
    )

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes all highp; the result rounded; all reads rounded, those of activations, those of one tensor."""
        yield from self._highp(case)
        if _are_halves(case):
            yield self._stored(case)
        reads = tuple(dict.fromkeys(read.tensor for read in case.evidence.reads))
        activations = tuple(read.tensor for read in case.activations())
        for weight, names in enumerate(dict.fromkeys((reads, activations, *((name,) for name in reads)))):
            yield Hypothesis(
                self.cause,
                f"every read of {', '.join(names)} rounded to half precision",
                "Declare `precision highp sampler2D;`, and keep the input in float32.",
                {"where": "read"},
                tuple(input_through(name, as_half) for name in names),
                line=lines.first(lines.precision, lines.read(names[0] if names else None)),
                prior=1.5 + weight / 100.0,
            )

    def _stored(self, case: FailingPass) -> Hypothesis:
        return Hypothesis(
            self.cause,
            "the right values rounded to half precision",
            "Store the tensor as float32."
            if case.output.storage == "float32"
            else "The plan stores this tensor in fewer bits; choose float32 if that is not enough.",
            {"where": "stored"},
            (OutputChange(NearestTo(case, as_half)),),
        )

    def _highp(self, case: FailingPass) -> Iterator[Hypothesis]:
        if case.differ("highp", "clean"):
            remedy = "Declare `precision highp float;` and `precision highp sampler2D;`."
            yield from forced(
                case, self.cause, "highp", "with every precision highp", remedy, {"where": "read"}, order=1,
                line=lines.first(lines.precision, lines.read()), prior=0.9,
            )  # fmt: skip


def _are_halves(case: FailingPass) -> bool:
    """Whether the values are numbers of half precision; where tolerances are wide, whether right ones are near some."""
    actual = np.asarray(case.actual[case.judge.counted], dtype=np.float32)
    if (np.isinf(actual) & np.isfinite(case.expected[case.judge.counted])).any():
        return False  # another cause names that
    return bool(np.mean((as_half(actual) == actual) | np.isnan(actual)) > _MOST)
