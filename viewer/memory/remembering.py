"""Restores the window as it was left, and records how it is left this time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from imgui_bundle import imgui

from texelscope.pipeline.untrusted_files.door import real_path
from texelscope.viewer.colour.ranges import Colours, Ranges
from texelscope.viewer.memory.settings import Settings
from texelscope.viewer.state import ViewState


class Remembering:
    """The settings of a window whose panels have those titles. Without a `path` nothing is read or written."""

    def __init__(self, path: Path | None, titles: Sequence[str]) -> None:
        self._path = path
        self._titles = list(titles)
        self._target = ""
        self.settings = Settings.load(path) if path is not None else Settings()

    def arrange(self, state: ViewState) -> None:
        """Restores colours, and the layout of panels if they are the same; needs imgui's context."""
        state.colours = Colours.of_data(self.settings.colours)
        state.shown_panels = dict.fromkeys(set(self.settings.hidden) & set(self._titles), False)
        if self.settings.layout and self.settings.panels == self._titles:
            imgui.load_ini_settings_from_memory(self.settings.layout)
            state.first_layout, state.room = False, self.settings.room

    def note(self, target: str, state: ViewState) -> None:
        """Adds the target to the recent files; restores the ranges of its layers."""
        if self._target:
            self.settings.keep_ranges(self._target, state.ranges.as_data())
        self._target = str(real_path(target))
        self.settings.opened(target)
        state.ranges = Ranges.of_data(self.settings.ranges.get(self._target))
        self.save()

    def save(self) -> None:
        """Writes changes now, for what must not be lost."""
        if self._path is not None:
            self.settings.save(self._path)

    def leave(self, state: ViewState, size: tuple[int, int], scale: float) -> None:
        """Records the state at closing, and writes it; `size` is in pixels, of a window drawn at that scale."""
        if self._target:
            self.settings.keep_ranges(self._target, state.ranges.as_data())
        self.settings.colours = state.colours.as_data()
        self.settings.layout = state.panels_before or imgui.save_ini_settings_to_memory()
        self.settings.panels, self.settings.room = self._titles, state.room
        self.settings.hidden = [title for title, shown in state.shown_panels.items() if not shown]
        self.settings.size = (round(size[0] / scale), round(size[1] / scale))
        self.save()
