"""quantized_8bit: the wrong values are the right ones in steps of a byte."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.mistakes.curves import NearestTo
from pipeline.diagnose.redo.redo import OutputChange
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import input_through
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule

Array = NDArray[Any]

_WAYS: Mapping[str, Callable[[Array], Array]] = MappingProxyType(
    {
        "rounded to 255 steps between 0 and 1": lambda y: np.rint(np.clip(y, 0.0, 1.0) * 255.0) / 255.0,
        "rounded to steps of 1 / 255": lambda y: np.rint(y * 255.0) / 255.0,
        "cut off to 255 steps between 0 and 1": lambda y: np.floor(np.clip(y, 0.0, 1.0) * 255.0) / 255.0,
        "cut off to steps of 1 / 255": lambda y: np.floor(y * 255.0) / 255.0,
        "rounded to 127 steps between -1 and 1": lambda y: np.rint(np.clip(y, -1.0, 1.0) * 127.0) / 127.0,
        "rounded to 255 steps between -1 and 1": lambda y: np.rint((np.clip(y, -1.0, 1.0) + 1.0) * 127.5) / 127.5 - 1.0,
        "cut off to 256 steps": lambda y: np.floor(y * 256.0) / 256.0,
        "rounded to 256 steps": lambda y: np.rint(y * 256.0) / 256.0,
    }
)


class Quantized8bit(Rule):
    """Values are rounded to the steps of a byte."""

    cause = "quantized_8bit"
    band = Band.VALUES

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Of the result, where it has few different values, and of each input."""
        remedy = "Store the tensor in a float format."
        line = lines.first(lines.called("floor", "round"), lines.result)
        stepped = len(np.unique(case.actual.reshape(-1)[case.sample])) < max(len(case.sample) * 0.9, 2)
        finite = case.actual[np.isfinite(case.actual)]
        on_steps = [
            np.mean(np.abs(np.rint(finite * n) - finite * n) < 1e-2) if finite.size else 0.0
            for n in (255.0, 127.0, 127.5, 256.0)
        ]
        for weight, (says, function) in enumerate(_WAYS.items()):
            rounded = NearestTo(case, function)
            if (stepped or max(on_steps) > 0.5) and rounded.may_tell():
                yield Hypothesis(
                    self.cause,
                    f"the right values {says}",
                    remedy,
                    {},
                    (OutputChange(rounded),),
                    line=line,
                    weight=1.0 + weight / 10.0,
                )
            for read in case.activations():
                yield Hypothesis(
                    self.cause,
                    f"the input '{read.tensor}' {says}",
                    remedy,
                    {"input": read.tensor},
                    (input_through(read.tensor, function),),
                    line=lines.first(lines.called("floor", "round"), lines.read(read.tensor)),
                    weight=2.0 + weight / 10.0,
                )
