"""Keeps the window's settings: layout of panels, recent files, trusted oracle files.

They are one JSON file in the system's folder for settings. Nothing in it is required: a file that cannot be read or
understood is ignored.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, get_args

from texelscope.pipeline.atomic_files import write_text_whole
from texelscope.pipeline.diagnose.naming import REPAIR_SECONDS
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import Backend
from texelscope.pipeline.untrusted_files import read_text
from texelscope.pipeline.untrusted_files.door import real_path
from texelscope.pipeline.untrusted_files.texts import json_value
from texelscope.pipeline.user_folders import settings_folder
from texelscope.viewer.colour.ranges import Ranges
from texelscope.viewer.palettes import Look
from texelscope.viewer.state import Room

VERSION = 1
# Seconds to choose from, for the search for a pass's repairs.
REPAIR_BUDGETS = (0.0, 5.0, REPAIR_SECONDS, 60.0, 300.0)
# Scales of text and controls to choose from; 1 is 96 dpi.
SCALES = (1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0)
MAX_RECENT = 12
# Kept layouts of panels: how many, and how long a name is.
MOST_LAYOUTS, LONGEST_NAME = 30, 40
FILE_NAME = "window.json"
# Holds the diagnoses that are kept, beside the settings.
FINDINGS_FOLDER = "findings"


@dataclass(frozen=True)
class KeptLayout:
    """A layout of panels that has a name: imgui's text about windows, and the titles of hidden panels."""

    layout: str
    hidden: list[str] = field(default_factory=list)


@dataclass
class Settings:
    """The settings: `recent` targets, newest first; `trusted` SHA-256 sums of oracle files that may run.

    `layout` is imgui's text about windows, valid for the panels in `panels` and a window of the size class `room`;
    `size` is that of the window in pixels at scale 1. `scale` is the chosen scale of text and controls; None is the
    screen's. `compact` rows of layers are one line high. `toured` says that the tour was taken or skipped. `ranges` are
    the users' ranges of layers, by target, as in `viewer.colour.ranges`; `colours` the chosen colours. `fused` is the
    run mode: fused, or, by default, every tensor stored. `backend` is that of forms, for targets opened in the window.
    `look` is the theme. `repair_seconds` limits the automatic search for a pass's repairs; 0 disables it. `layouts` are
    kept layouts of panels, by name.
    """

    recent: list[str] = field(default_factory=list)
    trusted: list[str] = field(default_factory=list)
    layout: str = ""
    panels: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    size: tuple[int, int] | None = None
    scale: float | None = None
    compact: bool = False
    toured: bool = False
    fused: bool = False
    backend: Backend = "auto"
    look: Look = "dark"
    repair_seconds: float = REPAIR_SECONDS
    ranges: dict[str, dict[str, dict[str, list[float]]]] = field(default_factory=dict)
    colours: dict[str, object] = field(default_factory=dict)
    layouts: dict[str, KeptLayout] = field(default_factory=dict)
    room: Room | None = None

    def opened(self, target: str) -> None:
        """Moves a target to the head of the recent ones."""
        path = str(real_path(target))
        self.recent = [path, *(other for other in self.recent if other != path)][:MAX_RECENT]

    def keep_ranges(self, target: str, ranges: dict[str, dict[str, list[float]]]) -> None:
        """Records the ranges set for layers of a target, if it is a recent one."""
        self.ranges.pop(target, None)
        if ranges:
            self.ranges[target] = ranges
        self.ranges = {path: kept for path, kept in self.ranges.items() if path in self.recent}

    def trust(self, digest: str) -> None:
        """Allows the oracle file with that content to run from now on."""
        if digest not in self.trusted:
            self.trusted.append(digest)

    def save(self, path: Path) -> None:
        """Writes all settings; a file that cannot be written stays as it was."""
        text = json.dumps({"version": VERSION, **asdict(self)}, indent=1)
        with suppress(OSError, TexelscopeError):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text_whole(path, text)

    @classmethod
    def load(cls, path: Path) -> Settings:
        """Reads settings from a file; uses defaults for what is missing or not understood."""
        try:
            found = json_value(read_text(path), path.name)
        except TexelscopeError:
            return cls()
        if not isinstance(found, dict) or found.get("version") != VERSION:
            return cls()
        return cls(
            recent=_texts(found.get("recent"))[:MAX_RECENT],
            trusted=_texts(found.get("trusted")),
            layout=found["layout"] if isinstance(found.get("layout"), str) else "",
            panels=_texts(found.get("panels")),
            hidden=_texts(found.get("hidden")),
            room=next((room for room in get_args(Room) if room == found.get("room")), None),
            size=_size(found.get("size")),
            scale=next((each for each in SCALES if each == found.get("scale") and found["scale"] is not True), None),
            compact=found.get("compact") is True,
            toured=found.get("toured") is True,
            fused=found.get("fused") is True,
            backend=next((name for name in get_args(Backend) if name == found.get("backend")), "auto"),
            repair_seconds=_seconds(found.get("repair_seconds")),
            look="light" if found.get("look") == "light" else "dark",
            ranges=_ranges(found.get("ranges")),
            colours=found["colours"] if isinstance(found.get("colours"), dict) else {},
            layouts=_layouts(found.get("layouts")),
        )


def settings_path() -> Path:
    """Returns the settings file, in the system's folder for it."""
    return settings_folder() / FILE_NAME


def _layouts(value: Any) -> dict[str, KeptLayout]:
    """Reads valid layouts by name."""
    found = value.items() if isinstance(value, dict) else ()
    understood = {
        name[:LONGEST_NAME]: KeptLayout(data["layout"], _texts(data.get("hidden")))
        for name, data in found
        if name.strip() and isinstance(data, dict) and isinstance(data.get("layout"), str)
    }
    return dict(list(understood.items())[:MOST_LAYOUTS])


def _seconds(value: Any) -> float:
    """Reads one of the search budgets."""
    return next((each for each in REPAIR_BUDGETS if each == value and value is not True), REPAIR_SECONDS)


def _texts(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _ranges(value: Any) -> dict[str, dict[str, dict[str, list[float]]]]:
    """Reads valid ranges by target."""
    found = value if isinstance(value, dict) else {}
    understood = {target: Ranges.of_data(data).as_data() for target, data in found.items()}
    return {target: data for target, data in understood.items() if data}


def _size(value: Any) -> tuple[int, int] | None:
    if not isinstance(value, list) or len(value) != 2 or not all(isinstance(each, int) for each in value):
        return None
    return (value[0], value[1]) if min(value) >= 200 and max(value) <= 16384 else None
