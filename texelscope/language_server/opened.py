"""Keeps one target open for an editor: as it is typed, compared after a save, with one texel's values."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from texelscope.language_server.marks import EditorMark, marks_of_error, marks_of_report
from texelscope.language_server.texts import EditorTexts
from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import UNBLAMED, Report
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.diagnose.naming import WRONG, DiagnosisRequest, name_bugs
from texelscope.pipeline.errors import TexelscopeError, UnsupportedError
from texelscope.pipeline.export.html_report import render
from texelscope.pipeline.export.live_page.contents import PageSubject
from texelscope.pipeline.export.live_page.recordings import PageRecorder
from texelscope.pipeline.opening import open_and_run
from texelscope.pipeline.plan import Pass
from texelscope.pipeline.reload.reloader import Reloader
from texelscope.pipeline.step_trace.recorder import TraceRecorder
from texelscope.pipeline.stepping.index import TraceIndex
from texelscope.pipeline.target import OpenOptions, Target
from texelscope.pipeline.untrusted_files.unsaved import unsaved


@dataclass(frozen=True)
class PickedTexel:
    """Names the texel of a pass whose values an editor shows."""

    pass_name: str
    texel: tuple[int, int]


class EditedTarget:
    """Holds the session of a target, if it can be opened. GL thread; its owner releases it."""

    def __init__(self, path: Path, options: OpenOptions) -> None:
        self.path = path
        self._options = options
        self.session: DebugSession | None = None
        self._reloader: Reloader | None = None
        self._recorder: TraceRecorder | None = None
        self.report: Report | None = None
        self._typed: dict[Path, str] = {}
        self._traces: dict[PickedTexel, TraceIndex] = {}
        self._compared: tuple[Comparer, Capture] | None = None

    def release(self) -> None:
        """Frees every GL object."""
        for each in (self._recorder, self.session):
            if each is not None:
                each.release()
        if self._reloader is not None:
            self._reloader.close()
        self._reloader = self.session = self._recorder = None

    # -- what is typed -------------------------------------------------------------------------------------

    def bring_up(self, texts: EditorTexts, changed: frozenset[Path]) -> list[EditorMark]:
        """Plans, compiles and runs the target as it is typed; returns what keeps it from running."""
        self._traces.clear()
        self._take_context()
        self._typed = texts.unsaved()
        with unsaved(self._typed):
            try:
                errors = self._reloaded(changed) if self.session is not None else self._opened()
            except TexelscopeError as error:
                errors = (error,)
        return [mark for error in errors for mark in marks_of_error(error, self.path, texts.text)]

    def _opened(self) -> tuple[TexelscopeError, ...]:
        self.session = open_and_run(Target(str(self.path), self._options))
        self._reloader = Reloader(self.session, self.path, self._options)
        found = (self.session.shader_error(each.name) for each in self.session.plan.passes)
        return tuple(error for error in found if error is not None)

    def _reloaded(self, changed: frozenset[Path]) -> tuple[TexelscopeError, ...]:
        assert self._reloader is not None
        self.report = self._compared = None
        return self._reloader.reload(changed or frozenset({self.path})).errors

    def outdated(self, texts: EditorTexts) -> frozenset[Path]:
        """Returns the files of which other text is typed than runs."""
        typed = texts.unsaved()
        return frozenset(path for path in {*typed, *self._typed} if typed.get(path) != self._typed.get(path))

    def outputs(self) -> dict[str, bytes]:
        """Returns what every pass wrote, bit by bit, by name."""
        if self.session is None:
            return {}
        plan = self.session.plan
        written = [(each.name, key) for each in plan.passes for key in each.outputs if self.session.is_valid(key)]
        return {f"{name} {key}": np.ascontiguousarray(self.session.tensor(key)).tobytes() for name, key in written}

    # -- what is compared ----------------------------------------------------------------------------------

    def compared(self, texts: EditorTexts) -> list[EditorMark]:
        """Compares every pass with the oracle; returns the wrong ones, whose causes are not looked for yet."""
        session = self.session
        if session is None:
            return []
        self._take_context()
        with unsaved(texts.unsaved()):
            if session.plan.frames.count > 1:
                self.report, self._compared = session.compare_frames().shown, None
            else:
                comparer, capture = Comparer(session.plan), session.capture()
                report = comparer.compare(capture)
                left = tuple(each.name for each in report.passes if each.verdict in WRONG - UNBLAMED)
                self.report = dataclasses.replace(report, undiagnosed=left)
                self._compared = comparer, capture
        return self._marks(texts)

    def diagnosed(self, texts: EditorTexts, seconds: float, cancel: threading.Event) -> Iterator[list[EditorMark]]:
        """Names the bugs of wrong passes one by one, and yields all marks after each. Raises CancelledError."""
        session, end = self.session, time.monotonic() + seconds
        while session is not None and self._compared is not None and self.report is not None:
            left, remaining = self.report.undiagnosed, end - time.monotonic()
            if not left or remaining <= 0:
                return
            asked = DiagnosisRequest(names=left[:1], seconds=remaining, first_takes_all=True)
            self._take_context()
            with unsaved(texts.unsaved()):
                report = name_bugs(session, *self._compared, self.report, asked, cancel)
            self.report = dataclasses.replace(report, undiagnosed=left[1:])
            yield self._marks(texts)

    def page(self, texts: EditorTexts, pass_name: str) -> str:
        """Returns the report of what is known by now as a page that works by itself: of one pass, or without a name of
        all. Raises TexelscopeError where nothing runs, and for a run of several frames.
        """
        changed = self.outdated(texts)
        if self.session is None or changed:
            self.bring_up(texts, changed)
        if self._compared is None:
            self.compared(texts)
        session, report = self.session, self.report
        if session is None or report is None:
            raise UnsupportedError(self.path.name, "a target that runs", "one that does not", "Correct its errors.")
        if self._compared is None:
            raise UnsupportedError(self.path.name, "a run of one frame", "several", "Use diff --html.")
        self._take_context()
        if pass_name:
            name = session.plan.pass_called(pass_name).name
            report = dataclasses.replace(report, passes=tuple(each for each in report.passes if each.name == name))
        comparer, capture = self._compared
        expected = dict(comparer.isolated_values())
        recordings = PageRecorder(session, report, capture, expected).run()
        return render(PageSubject(report, session.plan, capture, expected, recordings))

    def _take_context(self) -> None:
        """Makes the session's context current: that of another target may be."""
        if self.session is not None:
            self.session.make_current()

    def _marks(self, texts: EditorTexts) -> list[EditorMark]:
        assert self.report is not None
        marks = marks_of_report(self.report, self.path, texts.text)
        return [each for each in marks if each.code != "did_not_run"]  # the driver's message has its line

    # -- what one texel has --------------------------------------------------------------------------------

    def passes_of(self, path: Path) -> list[Pass]:
        """Returns the passes whose shader is made of a file; of the target itself all."""
        if self.session is None:
            return []
        passes = self.session.plan.passes
        if path == self.path and path.suffix == ".toml":
            return list(passes)
        folder = self.path.parent
        return [each for each in passes if any((folder / file.path).resolve() == path for file in each.program.files)]

    def picked_for(self, each: Pass, picked: PickedTexel | None) -> PickedTexel:
        """Returns the picked texel of a pass; without one that of its worst element, else the first."""
        if picked is not None and picked.pass_name == each.name:
            return picked
        assert self.session is not None
        stored = self.session.plan.textures[each.output]
        found = next((one for one in self.report.passes if one.name == each.name), None) if self.report else None
        worst = found.isolated.worst if found is not None and found.isolated is not None else 0
        tx, ty, _ = stored.layout.texel_of(stored.shape, worst)
        return PickedTexel(each.name, (tx, ty))

    def trace(self, picked: PickedTexel) -> TraceIndex:
        """Returns the record of what the shader did for a texel. Raises TexelscopeError where there is none."""
        if self.session is None:
            raise UnsupportedError(self.path.name, "a target that runs", "one that does not", "Correct its errors.")
        if picked not in self._traces:
            if self._recorder is None:
                self._recorder = TraceRecorder(self.session)
            self._take_context()
            record = partial(self._recorder.trace, picked.pass_name, picked.texel)
            self._traces[picked] = TraceIndex(record())
        return self._traces[picked]
