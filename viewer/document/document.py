"""Holds the open target: its session, the files it is made from, and the order of running and comparing.

Passes run in `run`, comparisons are made in `comparing`. All GL work happens in the window's thread, in steps small
enough for a frame. Every error becomes an entry of the log, and the last good state stays.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Unpack

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import is_utf8
from texelscope.pipeline.compare.report import PassReport
from texelscope.pipeline.crash_report.fault_log import told
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import ShaderError, TexelscopeError
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.inputs.sources import load_source, source_words
from texelscope.pipeline.opening import Replanning, set_inputs, sized
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import Pass, Plan, StoredTensor
from texelscope.pipeline.reload.reloader import Reload, Reloader
from texelscope.pipeline.target import OpenKeywords, Target
from texelscope.viewer.document.comparing import Comparing
from texelscope.viewer.document.comparison import Comparison
from texelscope.viewer.document.early_verdicts import EarlyVerdicts
from texelscope.viewer.document.jobs import Job
from texelscope.viewer.document.log import MessageLog
from texelscope.viewer.document.opening import OpenedTarget, Opening, warnings_of
from texelscope.viewer.document.reference import RunReference
from texelscope.viewer.document.run import DocumentRun
from texelscope.viewer.document.tensor_values import TensorValues

# The oracle of a run that is shown has a number below those of all runs.
_ITS_ORACLE = 1 << 30


class Document:
    """One open target, and what is known about it.

    `revision` grows whenever inputs or shaders change: knowledge about an older one is out of date. `reference` is
    another run that is shown in the oracle's place, `shown` one shown in the present run's place; verdicts are always
    those of the present run against the oracle.
    """

    def __init__(
        self,
        context: moderngl.Context,
        log: MessageLog,
        wake: Callable[[], None],
        show_progress: Callable[[], None] | None = None,
    ) -> None:
        """`wake` is called from threads when something is new, `show_progress` when a comparison has come further."""
        self._context = context
        self._log = log
        self._wake = wake
        self._reloader: Reloader | None = None
        self._opening = Opening(context, wake)
        self._values = TensorValues()
        self.run = DocumentRun(log, self._before_run, self._begin_frame)
        self.comparing = Comparing(log, wake, show_progress)
        self.session: DebugSession | None = None
        self.target: Target | None = None
        self.revision = 0
        self.before_change: Callable[[], None] = lambda: None
        # The time that the last change of a parameter took, without its passes.
        self.varied_ms = 0.0
        self.trusted: Collection[str] = ()
        self.failure: str | None = None
        self.failed_target: Target | None = None
        self.restored: Mapping[str, object] | None = None
        self.reference: RunReference | None = None
        self.shown: RunReference | None = None
        self.opens_on_pictures = True

    # -- opening -------------------------------------------------------------------------------------------

    def open(self, target: Target) -> None:
        """Opens a target in place of the present one, which stays if that fails (and the log says why).

        The plan is made in a thread; `opening` is set until then.
        """
        if not is_utf8(target.path):  # the window could not show it
            wrong = TexelscopeError(target.path, "a path in UTF-8", "other bytes", "Rename it, or open a copy.")
            self._fail(str(wrong))
            return
        self._opening.start(sized(target), self.trusted, on_picture=self.opens_on_pictures)

    def reopen(self, **changes: Unpack[OpenKeywords]) -> None:
        """Opens the same target with another layout, precision or backend."""
        if self.target is not None:
            self.open(replace(self.target, options=replace(self.target.options, **changes)))

    def _take_up(self, opened: OpenedTarget) -> None:
        """Makes the session of a planned target."""
        if opened.plan is None:
            assert opened.error is not None
            self._fail(told(opened.target.path, opened.error))
            self.failed_target = opened.target
            return
        session = None
        try:
            session = DebugSession(opened.plan, self._context, replan=self._replanning(opened.target))
            set_inputs(session, opened.target)
        except TexelscopeError as error:
            if session is not None:
                session.release()
            self._fail(str(error))
            self.failed_target = opened.target
            return
        self.show(session)
        self.target, self.restored = opened.target, opened.state
        self._watch()
        self.failure = self.failed_target = None
        name = Path(self.origin or "").name
        self._log.add(f"Opened {name}: {len(session.plan.passes)} passes, layout {opened.target.options.layout}.")
        if opened.beside:
            source = source_words(opened.target.inputs[opened.beside], session.plan.textures[opened.beside].shape)
            self._log.add(f"Input '{opened.beside}' uses a picture from the same folder: {source}.")
        for text in warnings_of(session.plan):
            self._log.add(text, warning=True)

    def show(self, session: DebugSession) -> None:
        """Replaces the present session and runs the new one. Its files are not watched."""
        self.close_session()
        self.session = session
        self.run.take_up(session)
        self.comparing.take_up(session)
        self.revision += 1
        self.run.everything()

    def _replanning(self, target: Target) -> Replanning:
        """Returns how the target is planned again for other input values."""
        trust = target.options.trust or self.trusted
        return Replanning(target.path, replace(target.options, trust=trust, limits=limits_of(self._context)))

    def set_input(self, name: str, source: str, *, quietly: bool = False) -> bool:
        """Loads a picture, an array or a pattern into an input and runs everything again.

        Where the input has the size of its picture, a picture of another size reopens the target.
        """
        if self.session is None or self.target is None:
            return False
        if (resized := self._resized(name, source)) is not None:
            self.open(resized)
            return True
        before = self.session.plan
        self.comparing.before_run()
        try:
            shape = before.textures[name].shape
            array = load_source(source, shape, name=name)
            self.session.set_input(name, array)
        except TexelscopeError as error:
            self._log.add(str(error), error=True)
            return False
        if self.session.plan is before:
            self._values.uploaded(self.session, name, array)
        self.target = replace(self.target, inputs={**self.target.inputs, name: source})
        self.revision += 1
        if not quietly:
            self._log.add(f"Input '{name}' is now {source}.")
        self.follow_plan(before)
        if quietly:  # a played picture is that of another frame
            self._begin_frame()
        self.run.everything(one_of_many=quietly)
        return True

    # -- frames --------------------------------------------------------------------------------------------

    def next_frame(self) -> None:
        """Runs the next frame."""
        if self._begin_frame():
            self.run.everything()

    def restart(self) -> None:
        """Runs frame 0 again, with its first values."""
        if self.session is None:
            return
        self._before_run()
        self.session.restart()
        self.revision += 1
        self.run.everything()
        self._log.add("Frame 0 runs again.")

    def _begin_frame(self) -> bool:
        """Begins the next frame of passes that have frames; returns False, and says why, if there can be none."""
        if self.session is None or not self.session.plan.has_frames:
            return self.session is not None
        self._before_run()
        try:
            self.session.next_frame()
        except TexelscopeError as error:
            self._log.add(str(error), error=True)
            return False
        self.revision += 1
        return True

    def _resized(self, name: str, source: str) -> Target | None:
        """Returns the target with that source, if its input needs another size for it."""
        assert self.session is not None
        assert self.target is not None
        options = self.target.options
        others = {key: shape for key, shape in options.shapes.items() if key != name}
        inputs = {**self.target.inputs, name: source}
        found = sized(replace(self.target, inputs=inputs, options=replace(options, shapes=others)))
        wanted = found.options.shapes.get(name)
        return None if wanted in (None, self.session.plan.textures[name].shape) else found

    def follow_plan(self, before: Plan) -> None:
        """Adopts a plan that the session switched to by itself because of input values."""
        assert self.session is not None
        plan = self.session.plan
        if plan is before:
            return
        self.before_change()
        self.comparing.follow(plan, oracle_changed=True)
        self._log.add(f"Planned again for these values: {len(plan.passes)} passes.")
        self._log.warn_of_new(warnings_of(plan))

    def _before_run(self) -> None:
        self.before_change()
        self.comparing.before_run()

    def close_session(self) -> None:
        """Closes the present session."""
        self.before_change()
        if self._reloader is not None:
            self._reloader.close()
            self._reloader = None
        self.run.take_up(None)
        self.comparing.take_up(None)
        if self.session is not None:
            self.session.release()
        self.session = None
        self._values.clear()

    def close(self) -> None:
        """Closes everything, the worker too."""
        self._opening.close()
        self.close_session()
        self.comparing.close()

    def _fail(self, message: str) -> None:
        for line in message.split("\n"):
            self._log.add(line, error=True)
        if self.session is None:
            self.failure = message

    # -- saved files ---------------------------------------------------------------------------------------

    def _watch(self) -> None:
        """Watches the files that the target was made from."""
        assert self.session is not None
        assert self.target is not None
        options = replace(self.target.options, trust=self.target.options.trust or self.trusted)
        self._reloader = Reloader(self.session, self.target.path, options, run=False, notify=self._wake)
        if (reason := self._reloader.watch_error) is not None:
            self._log.add(f"Changes of files are not detected: {reason}. F7 reads them again.", warning=True)

    def reload(self) -> None:
        """Reads the target's files again, whether they were saved or not."""
        if self._reloader is not None and self.session is not None:
            self._take_up_saved(self._reloader.reload(frozenset()))

    def follow(self, op_type: str, convention: str) -> None:
        """Compares with a convention of an operator, and computes it too where the shaders are built in."""
        if self._reloader is None or self.target is None or self.session is None:
            return
        conventions = {**self.target.options.conventions, op_type: convention}
        done = self._reloader.follow(conventions)
        if not done.errors:
            self.target = replace(self.target, options=replace(self.target.options, conventions=conventions))
            self.session.replan_with(self._replanning(self.target))
        self._take_up_saved(done, f"{op_type} as defined by {convention}.")

    def set_values(self, values: Mapping[str, str | None]) -> bool:
        """Runs the target with other values of its dialect, by key; None gives a key its file's own value again.

        Only a refusal is logged, and changes nothing. Returns whether the values are set now.
        """
        if self._reloader is None or self.target is None or self.session is None:
            return False
        dialect = {**self.target.options.dialect, **values}
        return self._vary({key: text for key, text in dialect.items() if text is not None})

    def _vary(self, dialect: Mapping[str, str]) -> bool:
        """Runs the target with another dialect; returns whether it was taken."""
        assert self._reloader is not None
        assert self.target is not None
        assert self.session is not None
        done = self._reloader.vary(dialect)
        is_taken = all(isinstance(error, ShaderError) for error in done.errors)
        if is_taken:
            self.target = replace(self.target, options=replace(self.target.options, dialect=dialect))
            self.session.replan_with(self._replanning(self.target))
        self.varied_ms = sum(done.milliseconds.values())
        self._take_up_saved(done, None)
        return is_taken

    def _take_up_saved(self, saved: Reload, done: str | None = "") -> None:
        """Runs what a save or another way to open the target made stale, and logs it, unless `done` is None."""
        assert self.session is not None
        self.before_change()
        for error in dict.fromkeys(map(str, saved.errors)):  # passes may share a shader
            self._log.add(error, error=True)
        names = ", ".join(path.name for path in saved.changed) or "all files"
        if not saved.errors and done is not None:
            self._log.add(done or f"Reloaded {names}.")
            self._log.warn_of_new(warnings_of(self.session.plan))
        self.comparing.follow(self.session.plan, oracle_changed=saved.oracle_changed)
        self.run_stale()

    def run_stale(self) -> None:
        """Runs again those passes that had run and became stale because inputs, shaders or the oracle changed."""
        self.revision += 1
        self.comparing.outdate()  # a comparison under way keeps all cores busy
        self.run.what_is_stale()

    # -- what is under way ---------------------------------------------------------------------------------

    @property
    def job(self) -> Job[OpenedTarget] | Job[Comparison] | None:
        """The work under way in a thread: opening another target, or a comparison."""
        return self._opening.job or self.comparing.job

    @property
    def origin(self) -> str | None:
        """The path of the open target, as the user opened it."""
        return self._opening.origin(self.target.path) if self.target is not None else None

    @property
    def is_unpacked(self) -> bool:
        """Whether the open target was unpacked from a bundle into a temporary folder."""
        return self.target is not None and self.origin != self.target.path

    @property
    def opening(self) -> str:
        """The title of what is being opened; empty if nothing is."""
        job = self._opening.job
        return job.title if job is not None else ""

    @property
    def settled(self) -> bool:
        """Whether all requested work is done: opened, run, compared."""
        run = self.run
        return not (self.job or run.is_under_way or run.continuous or self.comparing.is_due(run))

    def cancel(self) -> None:
        """Cancels the work under way in a thread."""
        opening = self._opening.job
        if opening is not None:
            opening.cancel.set()
            self._log.add(f"{opening.title} was cancelled.")
            return
        if self.run.is_under_way:
            self.run.stop()
            self._log.add(f"Stopped after {self.run.position} of {len(self.passes)} passes.")
            return
        self.comparing.cancel()

    def update(self) -> bool:
        """Takes in what was saved, opened and compared, and starts comparing new results; True if anything is new."""
        changed = False
        saved = self._reloader.poll() if self._reloader is not None else None
        if saved is not None:
            self._take_up_saved(saved)
            changed = True
        for opened in self._opening.finished():
            self._take_up(opened)
            changed = True
        return self.comparing.update(self.run, self.revision) or changed

    # -- answers -------------------------------------------------------------------------------------------

    @property
    def passes(self) -> tuple[Pass, ...]:
        """The plan's passes; empty without a session."""
        return self.run.passes

    @property
    def comparison(self) -> Comparison | None:
        """The newest comparison; `is_compared` says whether it is about the present inputs and shaders."""
        return self.comparing.newest

    def stored(self, name: str) -> StoredTensor | None:
        """Returns the tensor behind the pass, input or key `name`."""
        return self.session.plan.stored(name) if self.session is not None else None

    def report_of(self, name: str) -> PassReport | None:
        """Returns the newest report of the pass called `name`, if about the present values or the frame before.

        While a comparison is under way it may be one on the pass's own inputs alone.
        """
        if self.session is None:
            return None
        found = self.session.plan.find(name)
        if (
            found is not None
            and not self.run.is_live
            and not self.session.is_valid(found.output)
            and self.session.shader_error(found.name) is None
        ):
            return None
        early = self.early
        report = early.find(name) if early is not None else None
        capture = early.capture if early is not None and report is not None else None
        if report is None and self.comparison is not None and self.has_current_verdicts:
            report, capture = self.comparison.report.find(name), self.comparison.capture
        if capture is not None and name in capture.inside and self.run.groups is None:
            return None  # it was not judged then, and will be
        return report

    def expected(self, key: str, *, chained: bool) -> Expected | None:
        """Returns what the tensor is compared with: the oracle's, or the reference run's. None if there is none."""
        if self.reference is not None:
            return self.reference.expected(key)
        if self.shown is not None:
            return self.shown.right.get(key)  # it may have had another input
        early = self.early if not chained else None
        found = early.expected(key) if early is not None else None
        if found is not None:
            return found
        return self.comparison.oracle(key, chained=chained) if self.comparison is not None else None

    def expected_number(self, key: str, *, chained: bool) -> int:
        """Returns a number that identifies the source of what `expected` returns."""
        if self.reference is not None:
            return self.reference.number
        if self.shown is not None:
            return self.shown.number - _ITS_ORACLE
        early = self.early if not chained else None
        if early is not None and early.expected(key) is not None:
            return early.number
        return self.comparison.number if self.comparison is not None else 0

    @property
    def early(self) -> EarlyVerdicts | None:
        """The verdicts so far of the comparison under way, if about the present inputs and shaders.

        During live runs those of a frame just before are shown until all of another frame are known.
        """
        early = self.comparing.early
        return early if early is not None and early.revision == self.revision and not self.run.is_live else None

    @property
    def is_compared(self) -> bool:
        """Whether the newest comparison is about the present inputs and shaders."""
        return self.comparison is not None and self.comparison.revision == self.revision

    @property
    def has_current_verdicts(self) -> bool:
        """Whether verdicts are shown: about the present inputs, or, during live runs, about a frame just before."""
        return self.is_compared or (self.run.is_live and self.comparison is not None)

    @property
    def frame_compared(self) -> Mapping[str, NDArray[np.float32]] | None:
        """During live runs, the tensors that were compared last; None otherwise.

        What is compared with the oracle has to be of the same frame as the oracle's.
        """
        return self.comparison.capture.tensors if self.run.is_live and self.comparison is not None else None

    def values(self, key: str) -> NDArray[np.float32] | None:
        """Returns the tensor as it is now (logical shape), read back once per change; None before it is written.

        During live runs that is the frame compared last; with another run `shown`, that run's tensor.
        """
        if self.shown is not None:
            held = self.shown.tensors.get(key)
            return held.values if held is not None else None
        return self.present(key)

    def present(self, key: str) -> NDArray[np.float32] | None:
        """Returns `values` of the present run, whatever run is shown in its place."""
        frame = self.frame_compared
        if frame is not None and key in frame:
            return frame[key]
        if self.session is None or not self.session.is_valid(key):
            return None
        known = self.comparing.array(key)
        return self._values.of(self.session, key) if known is None else known
