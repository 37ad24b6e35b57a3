"""write_race: two invocations were seen to write one place."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule


class WriteRace(Rule):
    """Several invocations write one place, and the last one wins."""

    cause = "write_race"
    band = Band.DRAWING

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        races = case.evidence.facts.get("races", ())
        lanes = np.zeros(case.address.size, dtype=bool)
        lanes[[race.lane for race in races if race.lane < lanes.size]] = True
        twice = case.of_texels(lanes.reshape(case.address.shape)) > 0
        if not (twice & case.wrong).any():
            return
        wrong = {int(each) for each in case.address.reshape(-1)[lanes]} & {int(i) for i in np.flatnonzero(case.wrong)}
        flat = case.address.reshape(-1)
        first = next(race for race in races if race.lane < lanes.size and int(flat[race.lane]) in wrong)
        count, element = int(twice.sum()), int(flat[first.lane])
        yield Hypothesis(
            self.cause,
            f"invocations {first.first} and {first.second} both write element {element}; {count:,} are written twice",
            "Let one invocation write each place: look at the index and at the bounds around it, or add with atomics.",
            {"elements": count},
            values=np.where(twice, case.actual, case.expected).astype(np.float32),
            line=lambda _case: (first.file, first.line),
            weight=0.6,
            observed=True,
        )
