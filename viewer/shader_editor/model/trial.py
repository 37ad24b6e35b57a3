"""Holds edits that passes run though no file holds them: undone and redone together with the editor's text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from texelscope.pipeline.plan import ProgramSource

# Programs by pass.
Programs = Mapping[str, ProgramSource]


@dataclass
class Trial:
    """By pass the program that it had before, and the one with the edits.

    `planned` are the plan's programs at that time: once the plan has others, files were read again, and the trial is
    over.
    """

    before: Programs
    after: Programs
    planned: Programs
    is_on: bool = True
    is_over: bool = False


@dataclass(frozen=True)
class TextOfTrial:
    """The text of one file before a trial's edits, and with them, as the editor returns both."""

    before: str
    after: str
    trial: Trial

    def wanted(self, text: str) -> bool | None:
        """Returns whether the trial should run, given the editor's text; None to leave it as it is."""
        if self.trial.is_over or text not in (self.before, self.after):
            return None
        is_on = text == self.after
        return is_on if is_on != self.trial.is_on else None


@dataclass(frozen=True)
class Writing:
    """Describes an edit of a pass's file for its editor: `after` replaces `before`."""

    name: str
    file: str
    before: str
    after: str
    trial: Trial
