"""What panels and commands share: the document and what is known of it, what is shown, and the commands to do."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.target import Target
from texelscope.viewer.colour.picture import TrueColour, seen_with, shows
from texelscope.viewer.content.shown_as import as_picture, is_picture, shown_as
from texelscope.viewer.content.tap_view import TapView
from texelscope.viewer.document.background import Background
from texelscope.viewer.document.diagnoses import Diagnoses
from texelscope.viewer.document.document import Document
from texelscope.viewer.document.exports import Exports
from texelscope.viewer.document.log import MessageLog
from texelscope.viewer.document.other_device import OtherDevice
from texelscope.viewer.document.roofline import Roofline
from texelscope.viewer.editing.drafts import Drafts
from texelscope.viewer.editing.leave import Leave
from texelscope.viewer.inputs.painted import Painted
from texelscope.viewer.inputs.playback import Playback
from texelscope.viewer.memory.remembering import Remembering
from texelscope.viewer.modes.runs import ModeRuns
from texelscope.viewer.runs.runs import KeptRuns
from texelscope.viewer.state import View, ViewState
from texelscope.viewer.stepping.stepping import Stepping
from texelscope.viewer.stepping.summing import StepSums
from texelscope.viewer.texture.canvas import Canvas
from texelscope.viewer.theme import Fonts
from texelscope.viewer.training.training import Training
from texelscope.viewer.variables.looking import Looking


@dataclass
class App:
    """One window's parts.

    While a frame is drawn panels read them, set what the next frame shows (`state`, with what the mouse drags), and
    `send` commands. The document, its session and their files change between two frames alone.

    `leave` is there while the window asks about unsaved work.

    `taps` is the last trace, of whatever session; `places` says where the controls of the frame being drawn stand:
    left, top, width, height in pixels from the window's top left.
    """

    document: Document
    state: ViewState
    canvas: Canvas
    log: MessageLog
    diagnoses: Diagnoses
    remembering: Remembering
    background: Background
    other: OtherDevice
    modes: ModeRuns
    runs: KeptRuns
    fonts: Fonts
    scale: float = 1.0
    closing: bool = False
    demo: Target | None = None
    taps: TapView | None = None
    exports: Exports = field(default_factory=Exports)
    wanted_shot: Path | None = None
    frame_ms: float = 0.0
    playback: Playback = field(default_factory=Playback)
    painted: Painted = field(default_factory=Painted)
    roofline: Roofline = field(default_factory=Roofline)
    training: Training = field(default_factory=Training)
    stepping: Stepping = field(default_factory=Stepping)
    summing: StepSums = field(default_factory=StepSums)
    looking: Looking = field(default_factory=Looking)
    drafts: Drafts = field(default_factory=Drafts)
    leave: Leave | None = None
    queue: deque[tuple[str, dict[str, Any]]] = field(default_factory=deque)
    places: dict[str, tuple[float, float, float, float]] = field(default_factory=dict)

    def send(self, command: str, **arguments: Any) -> None:
        """Asks for a command, to be done after this frame."""
        self.queue.append((command, arguments))

    def mark(self, name: str) -> None:
        """Notes the place of the control just drawn, for whatever stands or looks there: the probe, a shot, the tour.

        A list or menu that opens is measured in its first frame, unseen and not yet where it will stand; a panel
        behind another is hidden too, but its tab is there.
        """
        hidden = imgui.internal.get_current_window_read().hidden and not imgui.is_window_docked()
        if imgui.is_item_visible() and not hidden:
            corner, size = imgui.get_item_rect_min(), imgui.get_item_rect_size()
            self.places[name] = (corner.x, corner.y, size.x, size.y)

    def fresh_taps(self) -> TapView | None:
        """The last trace, if the pass that it is of has not run again since."""
        session, taps = self.document.session, self.taps
        found = session.plan.find(taps.name) if session is not None and taps is not None else None
        if session is None or taps is None or found is None:
            return None
        return taps if session.generation(found.output) == taps.generation else None

    def unwritten(self, key: str) -> NDArray[np.bool_] | None:
        """Which elements of a tensor no fragment wrote, in its logical shape; None if there are none, or none known."""
        comparison = self.document.comparison
        if comparison is None or not self.document.is_told or self.document.shown is not None:
            return None
        return comparison.capture.unwritten.get(key)

    def shown_in(self, view: View) -> StoredTensor | None:
        """The tensor that a texture tab shows, in the layout that it shows it in; texels of the tab are texels of that.

        None without a session, and for a layer without a known shape.
        """
        stored = self.document.stored(view.locked or self.selected or "")
        if stored is None or view.shown_as is None:
            return self.pictured(stored) if stored is not None else None
        return shown_as(stored, view.shown_as, self.canvas.most_texels)

    def showing(self, view: View, element: int) -> StoredTensor | None:
        """As `shown_in`, once the tab shows an element of the tensor, given by its linear index.

        A picture that does not have it gives way to another of the batch, or to the tensor as it is stored.
        """
        shown = self.shown_in(view)
        if shown is not None and not shows(shown.layout, shown.shape, element):
            seen = self.state.pictures.get(shown.key, TrueColour())
            self.state.pictures[shown.key] = seen_with(shown.shape, seen, element)
            return self.shown_in(view)
        return shown

    def pictured(self, stored: StoredTensor) -> StoredTensor:
        """The tensor as a picture, where it is seen as one; else as it is stored."""
        session, seen = self.document.session, self.state.pictures.get(stored.key, TrueColour())
        by_itself = session is not None and is_picture(session.plan, stored)
        on = by_itself if seen.on is None else seen.on
        return as_picture(stored, seen, self.canvas.most_texels) if on else stored

    def layer_names(self) -> list[str]:
        """Inputs, passes and layers that cannot run, in the order of the list."""
        session = self.document.session
        if session is None:
            return []
        return [*session.plan.inputs, *session.plan.layers]

    def operator_of(self, name: str) -> str:
        """What the layer called `name` computes, or would; `input` for an input."""
        session = self.document.session
        return session.plan.operator_of(name) if session is not None else ""

    @property
    def selected(self) -> str | None:
        """The effective selection: what the user chose if it is there, else the first layer."""
        return self.state.effective(self.layer_names())
