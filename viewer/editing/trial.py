"""Edits that passes run though no file holds them: taken back with the text that they are in, and put in again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from texelscope.pipeline.plan import ProgramSource

# By pass.
Programs = Mapping[str, ProgramSource]


@dataclass
class Trial:
    """By pass the program that it had before, and the one with the edits.

    `planned` are the programs that the plan had then: where it has others, files were read since, and it is over.
    """

    before: Programs
    after: Programs
    planned: Programs
    is_on: bool = True
    is_over: bool = False


@dataclass(frozen=True)
class TextOfTrial:
    """The text of one file before a trial's edits, and with them: as the editor gives both back."""

    before: str
    after: str
    trial: Trial

    def wanted(self, text: str) -> bool | None:
        """Whether the trial is to be on for what the editor shows now; None where it is to stay as it is."""
        if self.trial.is_over or text not in (self.before, self.after):
            return None
        is_on = text == self.after
        return is_on if is_on != self.trial.is_on else None


@dataclass(frozen=True)
class Writing:
    """What is to be written into the editor of a file of a pass: `after`, in place of `before`, as one edit."""

    name: str
    file: str
    before: str
    after: str
    trial: Trial
