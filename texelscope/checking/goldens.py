"""Compares a run with its golden file, and writes that file anew where it is asked to."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from texelscope.checking.request import CheckRequest
from texelscope.pipeline.commands.diff import versions
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.opening import Prepare, open_and_run
from texelscope.pipeline.runs.against import against_golden, held_run
from texelscope.pipeline.runs.difference import RunDifference, difference
from texelscope.pipeline.runs.golden_file import load_golden, save_golden, shapes_of_inputs
from texelscope.pipeline.runs.run import Run, digest_of, digest_of_file, is_model
from texelscope.pipeline.target import Target
from texelscope.pipeline.untrusted_files import is_file


@dataclass(frozen=True)
class GoldenPath:
    """Names a golden file. `update` says in a sentence how a person has it written anew."""

    path: Path
    update: str

    def compared(self, request: CheckRequest) -> RunDifference:
        """Compares a run, on the golden's inputs, with the golden. Raises TexelscopeError, also if it is not there."""
        if not is_file(self.path):
            raise TexelscopeError(str(self.path), "a golden file", "no such file", self.update)

        def prepare(session: DebugSession) -> None:
            self._prepare(request, session)

        try:
            return against_golden(request.target, self.path, request.tolerances, prepare)
        except TexelscopeError as error:
            if "--save-golden" not in error.do_next:
                raise
            raise TexelscopeError(error.who, error.expected, error.got, self.update) from error

    def on_its_inputs(self, request: CheckRequest) -> tuple[Target, Prepare]:
        """Returns the target, and what prepares its session, for another run like the one that was compared."""
        target, options = request.target, request.target.options
        if is_model(target.path):
            shapes = shapes_of_inputs(self.path, digest_of_file(target.path)) | dict(options.shapes)
            target = dataclasses.replace(target, options=dataclasses.replace(options, shapes=shapes))

        def prepare(session: DebugSession) -> None:
            for name, values in self._there(session, request).inputs.items():
                session.set_input(name, values)
            self._prepare(request, session)

        return target, prepare

    def written(self, request: CheckRequest) -> tuple[RunDifference, bool]:
        """Saves the run as the golden, unless it is there and the same bit for bit; returns whether it was written.

        Folders that are missing are made. Two writers at once leave the file of one of them, whole.
        """
        with open_and_run(request.target, request.prepare) as session:
            run = held_run(session, request.target)
            if self._is_same(session, request, run):
                return difference(run, run), False
            _make_folder(self.path.parent)
            save_golden(self.path, run, versions())
        return difference(run, run), True

    def _is_same(self, session: DebugSession, request: CheckRequest, here: Run) -> bool:
        try:
            there = self._there(session, request)
            same_tensors = all(each.sameness == "equal" for each in difference(here, there).tensors)
        except TexelscopeError:  # missing, damaged, or of another model
            return False
        return (
            same_tensors
            and here.inputs.keys() == there.inputs.keys()
            and all(np.array_equal(each, there.inputs[name], equal_nan=True) for name, each in here.inputs.items())
        )

    def _there(self, session: DebugSession, request: CheckRequest) -> Run:
        return load_golden(self.path, session.plan, digest_of(request.target.path, session.plan)).run

    def _prepare(self, request: CheckRequest, session: DebugSession) -> None:
        """Prepares the session; arrays that are given have to be those that the golden was made with."""
        before = {name: session.tensor(name) for name in request.arrays if name in session.plan.inputs}
        request.prepare(session)
        for name, values in before.items():
            if not np.array_equal(values, session.tensor(name), equal_nan=True):
                expected = f"input '{name}' as it was saved"
                raise TexelscopeError(str(self.path), expected, "another one", self.update)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        got = error.strerror or str(error)
        raise TexelscopeError(str(folder), "a folder that can be made", got, "Choose another path.") from error
