"""Holds what is known of one pass that is being diagnosed, or was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from texelscope.pipeline.compare.repairs import Repair
from texelscope.viewer.document.jobs import Job

if TYPE_CHECKING:  # imported with the first pass that is wrong
    from texelscope.pipeline.diagnose.beginning import Beginning
    from texelscope.pipeline.diagnose.explain import Diagnosis
    from texelscope.pipeline.diagnose.locating import Locating

# The share of a diagnosis's progress that is done when the evidence is gathered.
_GATHERED = 0.5


@dataclass
class Inquiry:
    """One pass that is being diagnosed, or was. `revision` is the document's then; `asked`: the user requested it.

    For the `named` cause, a search (`locating`) adds repairs to the diagnosis until it is finished or cancelled
    (`looked`). A finished inquiry drops its evidence, which is as large as everything that the pass reads. One that
    `is_kept` shows the diagnosis of an earlier one; `key` is that under which its own is kept, if it can be.
    """

    name: str
    revision: int
    asked: bool = False
    beginning: Beginning | None = None
    job: Job[Diagnosis] | None = None
    named: Diagnosis | None = None
    locating: Locating | None = None
    diagnosis: Diagnosis | None = None
    problem: str = ""
    looked: bool = False
    given_up: bool = False
    key: str | None = None
    is_kept: bool = False

    @property
    def is_under_way(self) -> bool:
        """Whether evidence is gathered or explained, or repairs are searched for."""
        return self.beginning is not None or self.job is not None or self.locating is not None

    @property
    def has_more_to_find(self) -> bool:
        """Whether repairs can be searched for: with what named the cause, or anew with that of a kept diagnosis."""
        return not self.is_over and (self.named is not None or self.is_kept)

    @property
    def is_done(self) -> bool:
        """Whether naming the bug has ended; repairs may still come."""
        return self.diagnosis is not None or bool(self.problem)

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return bool(self.problem) or self.looked

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """The repairs found so far, equally good."""
        return self.diagnosis.repairs if self.diagnosis is not None else ()

    @property
    def progress(self) -> float:
        """The share of the work that is done, roughly: the diagnosis, then the search for repairs."""
        if self.locating is not None:
            return self.locating.progress
        if self.job is not None:
            return _GATHERED + (1.0 - _GATHERED) * self.job.progress
        if self.beginning is not None:
            return _GATHERED * self.beginning.progress
        return 1.0 if self.is_done else 0.0
