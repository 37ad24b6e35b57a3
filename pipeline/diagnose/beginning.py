"""Begins a diagnosis: compares the weights written in the shader's text with the model's, then gathers evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.diagnose.evidence.evidence import Evidence
from texelscope.pipeline.diagnose.evidence.gather import Gathering
from texelscope.pipeline.diagnose.explain import Diagnosis
from texelscope.pipeline.diagnose.written_weights.comparing import ComparingWeights

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session


class Beginning:
    """The first steps of one diagnosis: call `step` until it returns False. GL thread.

    Then either the `diagnosis` is known already, or `evidence` is there to explain.
    """

    def __init__(self, session: Session, capture: Capture, name: str, wrong: NDArray[np.bool_]) -> None:
        """`name` is that of a pass, or an output's key; `wrong` masks its wrong elements, in its shape."""
        found = session.plan.find(name)
        assert found is not None
        self._given = session, capture, name, wrong
        self._comparing = ComparingWeights(session, found.name)
        self._gathering: Gathering | None = None
        self.diagnosis: Diagnosis | None = None

    @property
    def progress(self) -> float:
        """Returns roughly the share of work that is done."""
        return self._gathering.progress if self._gathering is not None else float(self.diagnosis is not None)

    @property
    def evidence(self) -> Evidence:
        """Returns the evidence, once `step` returned False without a diagnosis."""
        assert self._gathering is not None
        return self._gathering.evidence

    def step(self) -> bool:
        """Does a little work; False if nothing is left. Raises TexelscopeError if the pass cannot be run."""
        if self._gathering is not None:
            return self._gathering.step()
        if self._comparing.step():
            return True
        if self._comparing.findings:
            self.diagnosis = Diagnosis(self._comparing.findings, repairs=self._comparing.repairs)
            return False
        self._gathering = Gathering(*self._given, traced=self._comparing.traced)
        return True

    def close(self) -> None:
        """Stops early and restores what an unfinished step changed in the session."""
        self._comparing.close()
        if self._gathering is not None:
            self._gathering.close()
