"""double_counted: the wrong values are those of the layer with some products counted more than once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from texelscope.pipeline.diagnose.maps.classify import axes_of_weights
from texelscope.pipeline.diagnose.maps.counts import Counted, counted_of, counted_otherwise, taps_of
from texelscope.pipeline.diagnose.maps.weights_there import solved
from texelscope.pipeline.diagnose.model_slice.model_slice import InputChange
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import LESS_READ, Hypothesis, Rule, Stage, Traits


class DoubleCounted(Rule):
    """Some products are added more than once: by overlapping steps, or by a remainder loop that starts too early."""

    cause = "double_counted"
    stage = Stage.DRAWING
    family = "reading"
    traits = Traits(denied_by_reads=LESS_READ)

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes products that designed inputs show several times, where an index of the weights identifies them."""
        yield from solved(case, self.cause)
        times = taps_of(case)
        if times is not None and times.max() > 1:
            yield counted_otherwise(case, self.cause, times, "Add every position once.")
        for found in counted_of(case):
            if found.times > 1 and found.of_weights:
                yield self._hypothesis(case, found)

    def _hypothesis(self, case: FailingPass, found: Counted) -> Hypothesis:
        tensor, names = axes_of_weights(case)
        axis = "nchw".index(found.axis)

        def change(value):  # type: ignore[no-untyped-def]
            of = axis - (4 - value.ndim)
            times = np.ones(value.shape[of], dtype=value.dtype)
            times[list(found.places)] = found.times
            return value * times.reshape([-1 if number == of else 1 for number in range(value.ndim)])

        name = names.get(found.axis, found.axis)
        places = ", ".join(map(str, found.places))
        return Hypothesis(
            self.cause,
            f"adds the products of {name} {places} {found.times} times, as designed inputs show",
            "Add every product once: check where each loop starts and its step.",
            {"axis": name, "places": list(found.places), "times": found.times},
            (InputChange(tensor, change),),
            line=lines.summand(),
        )
