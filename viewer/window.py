"""Opens the window: one pyglet window whose GL context the session and the user interface share.

Frames are drawn only when something happened: input, passes to run, progress of a comparison. Otherwise the loop sleeps
in the operating system.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import moderngl
import pyglet
from imgui_bundle import imgui

from texelscope.layouts.outside_text import logger
from texelscope.pipeline.gl.context import device_of
from texelscope.pipeline.gl.driver_threads import spread
from texelscope.pipeline.importers.registry import prepare
from texelscope.pipeline.start_marks import mark
from texelscope.pipeline.target import Target
from texelscope.viewer import theme
from texelscope.viewer.allocator import SpareMemory, keep_what_stands
from texelscope.viewer.app import Analyses, App, Display, Saving
from texelscope.viewer.canvas.canvas import Canvas
from texelscope.viewer.captured.model import OtherDevice
from texelscope.viewer.debugger.model.taking import keep_up
from texelscope.viewer.debugger.table_commands import follow
from texelscope.viewer.document.document import Document
from texelscope.viewer.document.log import Failures, MessageLog
from texelscope.viewer.document.run import RUN_BUDGET_MS, budget_beside
from texelscope.viewer.draft.commands import find_layouts
from texelscope.viewer.draft.model.layout_search import LayoutSearch
from texelscope.viewer.export.commands import take_shot
from texelscope.viewer.export.model.exports import Background
from texelscope.viewer.findings.model.diagnoses import Diagnoses
from texelscope.viewer.interface import WindowInterface
from texelscope.viewer.leaving.model.kept_edits import FOLDER, EditsFile
from texelscope.viewer.leaving.recovery_commands import Recovery
from texelscope.viewer.memory.remembering import Remembering
from texelscope.viewer.memory.settings import FINDINGS_FOLDER, settings_path
from texelscope.viewer.modes.model import ModeRuns
from texelscope.viewer.native.backend import Backend
from texelscope.viewer.native.native_window import (
    Screen,
    create_window,
    default_screen,
    display_scale,
    first_size,
    screen_size,
    within_limits,
)
from texelscope.viewer.panel import all_panels
from texelscope.viewer.reads.commands import advance_checks
from texelscope.viewer.reads.model.checking import ProductChecks
from texelscope.viewer.running.commands import point
from texelscope.viewer.runs.devices import follow_device
from texelscope.viewer.runs.model.runs import KeptRuns
from texelscope.viewer.shell import tour
from texelscope.viewer.shell.arrival import Arrival, Pointing
from texelscope.viewer.shell.command_table import in_menu, run_queue
from texelscope.viewer.shell.probe import WindowProbe
from texelscope.viewer.shell.toolbar import verdict_text
from texelscope.viewer.shell.trace import StateTrace
from texelscope.viewer.state import ViewMode, ViewState
from texelscope.viewer.why.commands import advance

_logger = logger("texelscope.window")

# An immediate-mode interface settles within this many frames of an event.
SETTLING_FRAMES = 3
# While strokes wait for frames, one that is not shown takes a fraction of the time; what is seen lags at most so much.
LONGEST_UNSEEN_SECONDS = 0.25
IDLE_SECONDS = 1.0
FLICKER_SECONDS = 0.25
# Automatic work starts this long after the last key or mouse move.
REST_SECONDS = 0.25
# If the pointer rests this long, its tooltip is shown, in additional frames if nothing else happens.
HINT_SECONDS, HINT_FRAMES = 0.4, 4
# How often a dialog of the system is asked for its answer.
DIALOG_SECONDS = 0.1


def open_window(
    target: Target,
    *,
    demo: Target | None = None,
    scale: float | None = None,
    asked: bool = True,
    sent: Sequence[tuple[str, Mapping[str, object]]] = (),
) -> int:
    """Opens the window on `target` and runs until it is closed; returns the exit code. `scale` is that of text.

    `sent` are the first commands, with their arguments. Unless the user `asked` for the target, the first start takes
    the tour, with a bug planted in the demo. Raises TexelscopeError if the machine gives no window. Later errors are
    shown in the window.
    """
    threading.Thread(target=prepare, args=(target.path,), daemon=True).start()  # the system makes a window meanwhile
    window = MainWindow(settings_path(), scale=scale)
    keep_what_stands()
    window.app.demo = demo
    if not asked and not window.app.remembering.settings.toured:
        window.app.state.plants_bug = True
        tour.go_to_step(window.app)
    try:
        window.app.document.open(target)
        for command, arguments in sent:
            window.app.send(command, **arguments)
        window.run()
    finally:
        window.close()
    return 0


class MainWindow:
    """The window and its loop. Without a `settings_file` it starts with defaults and saves no settings."""

    def __init__(self, settings_file: Path | None = None, *, scale: float | None = None) -> None:
        remembering = Remembering(settings_file, [panel.title for panel in all_panels()])
        screen = default_screen()
        self._follows_screens = scale is None
        scale = scale or remembering.settings.scale or display_scale(screen)
        size = first_size(remembering.settings.size, screen_size(screen), scale)
        self._window = create_window(size)
        self._context = moderngl.create_context(require=330)
        spread(self._context)
        self._screen = Screen(self._context)
        mark("window")
        _logger.info("driver: %s", device_of(self._context))
        imgui.create_context()
        io = imgui.get_io()
        io.config_flags |= imgui.ConfigFlags_.docking_enable | imgui.ConfigFlags_.nav_enable_keyboard
        io.config_windows_move_from_title_bar_only = True
        io.config_error_recovery_enable_assert = False  # a failing panel is recovered from, see `_draw_panel`
        io.set_ini_filename("")
        fonts = theme.apply(scale)
        theme.show(remembering.settings.look)
        self._renderer = Backend(self._window)
        log = MessageLog()
        document = Document(self._context, log, self._wake, self._show_progress)
        kept_in = settings_file.parent / FINDINGS_FOLDER if settings_file is not None else None
        diagnoses = Diagnoses(self._wake, remembering.settings.repair_seconds, kept_in)
        document.before_change = diagnoses.drop
        document.trusted = remembering.settings.trusted
        document.run.fused = remembering.settings.fused
        state = ViewState()
        remembering.arrange(state)
        self.app = App(
            document=document,
            state=state,
            log=log,
            remembering=remembering,
            display=Display(canvas=Canvas(self._context), fonts=fonts),
            analyses=Analyses(
                diagnoses=diagnoses,
                captured=OtherDevice(self._wake),
                modes=ModeRuns(self._wake),
                runs=KeptRuns(self._wake),
                layouts=LayoutSearch(self._wake),
                product_checks=ProductChecks(self._wake),
            ),
            saving=Saving(background=Background(self._wake)),
            scale=scale,
            screen_scale=display_scale(screen),
        )
        edits_file = EditsFile(settings_file.parent / FOLDER if settings_file is not None else None)
        self._recovery = Recovery(edits_file)
        self.app.saving.left_behind = edits_file.left_behind()
        self._arrival, self._pointing = Arrival(), Pointing()
        self._trace = StateTrace()
        self._probe = WindowProbe.from_environment()
        self._frames_due = SETTLING_FRAMES
        self._strokes, self._shown_at = 0, 0.0
        self._worked_by_hand, self._hints_due = -REST_SECONDS, False
        self._failures = Failures(log)
        self._interface, self._spare = WindowInterface(self._failures), SpareMemory()
        self._window.push_handlers(
            on_close=self._on_close,
            on_file_drop=self._on_file_drop,
            on_expose=self._due,
            on_scale=self._on_scale,
            **dict.fromkeys(_CHANGES, self._due),
            **dict.fromkeys(_MOVES, self._due_for_move),
            **dict.fromkeys(_STROKES, self._due_for_stroke),
            **dict.fromkeys(("on_key_press", "on_text"), self._due_for_more),
        )

    # -- loop ----------------------------------------------------------------------------------------------

    def run(self, until: Callable[[], bool] = lambda: False, timeout_s: float = math.inf) -> None:
        """Draws and sleeps until the window is closed, until `until` holds, or for `timeout_s`."""
        end = time.monotonic() + timeout_s
        loop = pyglet.app.platform_event_loop
        loop.start()
        pyglet.app.event_loop.is_running = True
        try:
            while not (self.app.closing or until() or time.monotonic() > end):
                self._window.dispatch_events()
                worked, changed = self._work()
                if worked or changed or self._frames_due > 0:
                    self._frames_due = max(self._frames_due - 1, 1 if worked else 0)
                    self.draw_frame()
                self._spare.after(worked=worked or changed, rests=not self._frames_due)
                if not self.app.closing:  # needed to receive dropped files, even without idle time
                    loop.step(0.0 if self._frames_due else min(self._sleep_seconds(), max(end - time.monotonic(), 0.0)))
        finally:
            pyglet.app.event_loop.is_running = False
            loop.stop()

    def _work(self) -> tuple[bool, bool]:
        """Does a piece of work between frames; returns whether there is more, and whether something is new.

        Failing work stops, with a line in the log; the window goes on.
        """
        app, before = self.app, self.app.document.session
        try:
            app.document.comparing.needed = app.looked_at()
            changed = app.document.update()  # first: saved shaders run before the next frame
            self._arrival.update(app)
            self._pointing.update(app)
            changed |= app.display.file_dialog.update()
            changed |= app.saving.background.take_up(app.saving.exports, app.log)
            changed |= app.analyses.captured.update(app.document.session, app.log) | app.analyses.modes.update(app.log)
            changed |= app.analyses.runs.update(app.document, app.analyses.diagnoses, app.log, RUN_BUDGET_MS)
            changed |= follow_device(app)
            changed |= find_layouts(app)
            changed |= self._recovery.update(app) | advance_checks(app)
            if app.document.session is not before:
                app.display.picture_is_due = True
                return True, True  # show the opened target before its first pass runs
            # The first picture comes soon.
            budget_ms = RUN_BUDGET_MS if app.display.picture_is_due else budget_beside(app.display.frame_ms)
            changed |= follow(app, self._wake) | advance(app)
            point(app)
            worked = app.document.run.advance(budget_ms)
            at_rest = time.monotonic() - self._worked_by_hand > REST_SECONDS
            if not in_menu():  # a new finding would move it away from the pointer
                worked |= app.analyses.diagnoses.advance(
                    app.document, budget_ms, selected=app.selected, at_rest=at_rest
                )
            worked |= app.saving.exports.advance(app.document.session)
            worked |= app.saving.recording.advance(is_writing=app.saving.background.job is not None)
            worked |= app.inputs.playback.advance(app.document, app.log) | app.training.advance(
                app.document, app.log, budget_ms
            )
            worked |= app.analyses.roofline.advance(app.document.session) | keep_up(app.debugger.stepping, app.document)
        except Exception as error:  # noqa: BLE001 - the window reports it and goes on
            app.document.run.stop()
            self._failures.report("the run, which stopped (F5 runs everything again)", error)
            return False, True
        return worked, changed

    def draw_frame(self) -> None:
        """Draws one frame, then runs the commands that it sent.

        Frames that quick strokes take one after the other are not shown, except now and then.
        """
        start = time.perf_counter()
        self._renderer.process_inputs()
        imgui.new_frame()
        self.app.display.places.clear()
        self.app.display.rows.clear()
        due = self._interface.draw(self.app)
        self._frames_due = max(self._frames_due, due)  # read now: a thread may have raised it meanwhile
        imgui.render()
        if self._renderer.is_behind:
            self._due()
        if not self._renderer.is_behind or start - self._shown_at > LONGEST_UNSEEN_SECONDS:
            self._show(start)
        if run_queue(self.app, self._failures):
            self._due()
        self._set_caption()
        self._trace.follow(self.app)
        if not self._renderer.is_behind:
            self._probe.write(self.app, settled=not self._frames_due, strokes=self._strokes)

    def _show(self, start: float) -> None:
        """Shows the frame that was begun at `start`, in seconds of `time.perf_counter`."""
        self._screen.draw(partial(self._renderer.render, imgui.get_draw_data()))
        take_shot(self.app, self._context.screen, self._window.get_framebuffer_size()[1])
        self._window.flip()
        self._mark_start()
        self._shown_at = time.perf_counter()
        self.app.display.frame_ms = (self._shown_at - start) * 1e3

    def _mark_start(self) -> None:
        """Records the progress of starting with the frame just shown."""
        mark("first frame")
        if "canvas 0" in self.app.display.places:
            self.app.display.picture_is_due = False
            mark("first picture")
        if self.app.document.is_compared:
            mark("compared")

    def finish(self) -> None:
        """Waits until the GPU has finished drawing."""
        self._context.finish()

    @property
    def driver(self) -> str:
        """The renderer's own name."""
        return str(self._context.info["GL_RENDERER"])

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        width, height = self._window.get_framebuffer_size()
        return width, height

    def close(self) -> None:
        """Frees everything."""
        self.app.remembering.leave(self.app.state, self._window.get_size(), self.app.scale)
        if self.app.closing:  # what is unsaved was asked about
            self._recovery.end()
        app = self.app
        shown_beside = (
            app.saving.background,
            app.analyses.captured,
            app.analyses.modes,
            app.analyses.runs,
            app.analyses.layouts,
            app.debugger.summing,
        )
        for part in (
            *shown_beside,
            app.display.file_dialog,
            app.inputs.playback,
            app.inputs.painted,
            app.analyses.diagnoses,
            app.document,
        ):
            part.close()
        self.app.display.canvas.release()
        self._renderer.shutdown()
        self._window.close()

    def _sleep_seconds(self) -> float:
        flickers = any(view.mode is ViewMode.FLICKER for view in self.app.state.tabs)
        if flickers:
            self._frames_due = 1
        run, comparing = self.app.document.run, self.app.document.comparing
        busy = run.is_under_way or run.continuous or comparing.is_reading
        if self.app.document.opening:
            self._frames_due = 1  # its progress bar moves
        awake = 0.0 if busy else FLICKER_SECONDS if flickers or self.app.document.opening else IDLE_SECONDS
        awake = min(awake, REST_SECONDS) if self.app.analyses.diagnoses.waits else awake
        awake = min(awake, DIALOG_SECONDS) if self.app.display.file_dialog.is_open else awake
        if self._hints_due:
            self._hints_due, self._frames_due, awake = False, HINT_FRAMES, min(awake, HINT_SECONDS)
        shown = self._interface.seconds_left()
        if shown <= awake:
            self._frames_due = 1  # the frame without it
        return min(awake, self.app.inputs.playback.seconds_to_next(), shown)

    # -- events --------------------------------------------------------------------------------------------

    def _wake(self) -> None:
        """Requests a frame, from any thread."""
        self._due()
        pyglet.app.platform_event_loop.notify()

    def _show_progress(self) -> None:
        """Requests a single frame, from any thread: work under way needs the cores that further frames would take."""
        self._frames_due = max(self._frames_due, 1)
        pyglet.app.platform_event_loop.notify()

    def _due(self, *_arguments: object) -> None:
        self._frames_due = max(self._frames_due, SETTLING_FRAMES)

    def _due_for_move(self, *_arguments: object) -> None:
        self._worked_by_hand, self._hints_due = time.monotonic(), True
        self._due()

    def _due_for_stroke(self, *_arguments: object) -> None:
        """Counts a stroke; imgui consumes quick ones one a frame."""
        self._strokes += 1
        self._due_for_more()

    def _due_for_more(self, *_arguments: object) -> None:
        self._worked_by_hand = time.monotonic()
        self._frames_due = max(self._frames_due + 1, SETTLING_FRAMES)

    def _on_close(self) -> bool:
        self.app.send("quit")
        self._due()
        return bool(pyglet.event.EVENT_HANDLED)

    def _on_scale(self, scale: float, _dpi: int) -> None:
        """Draws as large as the screen that the window was moved to asks for, unless the user chose a size."""
        self.app.screen_scale = within_limits(scale)
        if self._follows_screens and self.app.remembering.settings.scale is None:
            self.app.scale = self.app.screen_scale
            theme.resize(self.app.scale)
        self._due()

    def _on_file_drop(self, _x: int, _y: int, paths: list[str]) -> None:
        self._due()
        self.app.send("open_paths", paths=paths)

    def _set_caption(self) -> None:
        document = self.app.document
        name = Path(document.origin).name if document.origin is not None else "nothing open"
        caption = f"Texelscope – {name}"
        verdict = f"{document.opening} …" if document.opening else verdict_text(self.app)[0]
        caption = f"{caption} – {verdict}" if verdict else caption
        if caption != self._window.caption:
            self._window.set_caption(caption)


_CHANGES = ("on_mouse_enter", "on_mouse_leave", "on_resize", "on_activate", "on_deactivate", "on_show")
_MOVES = ("on_mouse_motion", "on_mouse_drag")
# Pyglet swallows some key presses: of _ after the first, if Shift was released before it.
_STROKES = ("on_mouse_press", "on_mouse_release", "on_mouse_scroll", "on_key_release")
