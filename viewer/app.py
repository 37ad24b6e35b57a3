"""Holds what panels and commands share: the document, knowledge about it, what is shown, and queued commands."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.target import Target
from texelscope.viewer.canvas.canvas import Canvas
from texelscope.viewer.captured.model import OtherDevice
from texelscope.viewer.colour.picture import TrueColour, seen_with, shows
from texelscope.viewer.colour.shown_as import as_picture, is_picture, shown_as
from texelscope.viewer.debugger.model.seen import TableState
from texelscope.viewer.debugger.model.stepping import Stepping
from texelscope.viewer.debugger.model.summing import StepSums
from texelscope.viewer.document.document import Document
from texelscope.viewer.document.log import MessageLog
from texelscope.viewer.draft.model.layout_search import LayoutSearch
from texelscope.viewer.export.model.exports import Background, Exports
from texelscope.viewer.export.model.page_recording import PageRecording
from texelscope.viewer.findings.model.diagnoses import Diagnoses
from texelscope.viewer.inputs.model.brush import Brush, LiveStroke
from texelscope.viewer.inputs.model.painting import PaintedInput
from texelscope.viewer.inputs.model.playback import Playback
from texelscope.viewer.inputs.model.swatches import InputSwatches
from texelscope.viewer.leaving.model.kept_edits import KeptEdits
from texelscope.viewer.memory.remembering import Remembering
from texelscope.viewer.modes.model import ModeRuns
from texelscope.viewer.native.file_dialog import FileDialog
from texelscope.viewer.reads.model.checking import ProductChecks
from texelscope.viewer.reads.model.tap_view import TapView
from texelscope.viewer.runs.model.runs import KeptRuns
from texelscope.viewer.shader_editor.model.drafts import Drafts
from texelscope.viewer.shared_memory.model.recorded_group import RecordedGroup
from texelscope.viewer.state import LeaveRequest, View, ViewState
from texelscope.viewer.theme import Fonts
from texelscope.viewer.timing.model import Roofline
from texelscope.viewer.training.model.training import Training
from texelscope.viewer.undoing.model import Deeds
from texelscope.viewer.why.model.trail import Trail


@dataclass(kw_only=True)
class Display:
    """What the window is drawn with, and what is recorded of the frame being drawn.

    `places` has the rectangle of each control in the frame being drawn: left, top, width and height in pixels from the
    window's top left; `rows` are the names of the layers that the list shows. `wanted_shot` is the file to save the
    texture panel to after the frame. `picture_is_due` holds from opening a target to its first texture in view.
    """

    canvas: Canvas
    fonts: Fonts
    frame_ms: float = 0.0
    places: dict[str, tuple[float, float, float, float]] = field(default_factory=dict)
    rows: list[str] = field(default_factory=list)
    wanted_shot: Path | None = None
    picture_is_due: bool = False
    file_dialog: FileDialog = field(default_factory=FileDialog)


@dataclass(kw_only=True)
class Analyses:
    """What is found out about the open target; `taps` is the last trace of reads, of any session."""

    diagnoses: Diagnoses
    captured: OtherDevice
    modes: ModeRuns
    runs: KeptRuns
    layouts: LayoutSearch
    roofline: Roofline = field(default_factory=Roofline)
    taps: TapView | None = None
    product_checks: ProductChecks = field(default_factory=ProductChecks)


@dataclass(kw_only=True)
class Saving:
    """Files that are being written, and edits in no file; `leave` is set while the window asks about these.

    `kept_values` are the values of passes, by key, that the target was opened with, or that a bundle holds.
    `left_behind` are edits of windows that ended without a question, to be offered; `restoring` are those whose target
    is being opened.
    """

    background: Background
    exports: Exports = field(default_factory=Exports)
    recording: PageRecording = field(default_factory=PageRecording)
    drafts: Drafts = field(default_factory=Drafts)
    kept_values: Mapping[str, str] = field(default_factory=dict)
    leave: LeaveRequest | None = None
    left_behind: tuple[KeptEdits, ...] = ()
    restoring: KeptEdits | None = None


@dataclass(kw_only=True)
class Inputs:
    """What is fed into inputs: played frames and painted strokes. `stroke` is the one that is being painted."""

    playback: Playback = field(default_factory=Playback)
    painted: PaintedInput = field(default_factory=PaintedInput)
    brush: Brush = field(default_factory=Brush)
    stroke: LiveStroke | None = None
    swatches: InputSwatches = field(default_factory=InputSwatches)


@dataclass(kw_only=True)
class Debugger:
    """The fragment that is stepped through, its sum and tables, the way of an error, and a work group."""

    stepping: Stepping = field(default_factory=Stepping)
    summing: StepSums = field(default_factory=StepSums)
    looking: TableState = field(default_factory=TableState)
    trail: Trail = field(default_factory=Trail)
    work_group: RecordedGroup = field(default_factory=RecordedGroup)


@dataclass(kw_only=True)
class App:
    """Holds the parts of one window.

    While a frame is drawn, panels read the parts, set what the next frame shows (`state`) and `send` commands. The
    document, its session and their files change only between two frames. `scale` is that of text and controls, 1 at
    96 dpi, and `screen_scale` what the screen asks for.
    """

    document: Document
    state: ViewState
    log: MessageLog
    remembering: Remembering
    display: Display
    analyses: Analyses
    saving: Saving
    inputs: Inputs = field(default_factory=Inputs)
    debugger: Debugger = field(default_factory=Debugger)
    training: Training = field(default_factory=Training)
    deeds: Deeds = field(default_factory=Deeds)
    scale: float = 1.0
    screen_scale: float = 1.0
    demo: Target | None = None
    closing: bool = False
    queue: deque[tuple[str, dict[str, Any]]] = field(default_factory=deque)

    def send(self, command: str, **arguments: Any) -> None:
        """Queues a command, which runs after this frame."""
        self.queue.append((command, arguments))

    def mark(self, name: str) -> None:
        """Records the rectangle of the control just drawn, for the probe, for screenshots and for the tour.

        A list or menu that opens is measured in its first frame, while it is invisible and not yet in place. A panel
        behind another one is hidden too, but its tab is visible.
        """
        hidden = imgui.internal.get_current_window_read().hidden and not imgui.is_window_docked()
        if imgui.is_item_visible() and not hidden:
            corner, size = imgui.get_item_rect_min(), imgui.get_item_rect_size()
            self.display.places[name] = (corner.x, corner.y, size.x, size.y)

    def fresh_taps(self) -> TapView | None:
        """Returns the last trace of reads, unless its pass has run again since."""
        session, taps = self.document.session, self.analyses.taps
        found = session.plan.find(taps.name) if session is not None and taps is not None else None
        if session is None or taps is None or found is None:
            return None
        return taps if session.generation(found.output) == taps.generation else None

    def unwritten(self, key: str) -> NDArray[np.bool_] | None:
        """Returns which elements of a tensor no fragment wrote, in its logical shape; None if none, or unknown."""
        comparison = self.document.comparison
        if comparison is None or not self.document.has_current_verdicts or self.document.shown is not None:
            return None
        return comparison.capture.unwritten.get(key)

    def shown_in(self, view: View) -> StoredTensor | None:
        """Returns the tensor that a texture tab shows, in the layout of the tab; the tab's texels refer to that layout.

        None without a session, and for a layer without a known shape.
        """
        stored = self.document.stored(view.locked or self.selected or "")
        if stored is None or view.shown_as is None:
            return self.pictured(stored) if stored is not None else None
        return shown_as(stored, view.shown_as, self.display.canvas.most_texels)

    def showing(self, view: View, element: int) -> StoredTensor | None:
        """Returns `shown_in`, after changing the tab where needed so that it shows the element with a linear index.

        A picture without that element is replaced by another picture of the batch, or by the tensor as it is stored.
        """
        shown = self.shown_in(view)
        if shown is not None and not shows(shown.layout, shown.shape, element):
            seen = self.state.pictures.get(shown.key, TrueColour())
            self.state.pictures[shown.key] = seen_with(shown.shape, seen, element)
            return self.shown_in(view)
        return shown

    def pictured(self, stored: StoredTensor) -> StoredTensor:
        """Returns the tensor as a picture if it is shown as one, else as it is stored."""
        session, seen = self.document.session, self.state.pictures.get(stored.key, TrueColour())
        by_itself = session is not None and is_picture(session.plan, stored)
        on = by_itself if seen.on is None else seen.on
        return as_picture(stored, seen, self.display.canvas.most_texels) if on else stored

    def looked_at(self) -> tuple[str, ...]:
        """Returns the layers whose verdicts are needed first: the selected one, those of tabs, those in the list."""
        tabs = [view.locked for view in self.state.views]
        return tuple(name for name in (self.selected, *tabs, *self.display.rows) if name is not None)

    def layer_names(self) -> list[str]:
        """Returns inputs, tensors of the frame before, passes and layers that cannot run, in the order of the list."""
        session = self.document.session
        if session is None:
            return []
        return [*session.plan.given, *session.plan.layers]

    def operator_of(self, name: str) -> str:
        """Returns the operator of the layer called `name`; `input` for an input."""
        session = self.document.session
        return session.plan.operator_of(name) if session is not None else ""

    @property
    def selected(self) -> str | None:
        """The effective selection: the user's choice if that layer exists, else the first layer."""
        return self.state.effective(self.layer_names())
