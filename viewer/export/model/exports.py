"""Exports layers as files, one a frame, the comparison's report, and the texture panel as shown."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import moderngl
import numpy as np
from PIL import Image

from texelscope.pipeline.atomic_files import write_text_whole, write_whole
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.export.snapshots import export
from texelscope.pipeline.gl.session import Session

FORMATS = ("png", "npy", "exr", "npz")
# Below the folder that the program was started in, as on the command line.
FOLDER = "out"


@dataclass
class Exports:
    """Layers that are being written to disk; `done` of `count` are complete."""

    folder: Path = Path(FOLDER)
    formats: tuple[str, ...] = ()
    count: int = 0
    files: list[Path] = field(default_factory=list)
    problem: str = ""
    _waiting: deque[str] = field(default_factory=deque)

    @property
    def is_running(self) -> bool:
        """Whether layers are still to be written."""
        return bool(self._waiting)

    @property
    def done(self) -> int:
        """How many layers are written."""
        return self.count - len(self._waiting)

    def begin(self, folder: Path, names: Sequence[str], formats: Sequence[str]) -> None:
        """Starts writing those passes in those formats, with the next `advance`."""
        self.folder, self.formats = folder, tuple(formats)
        self.files, self.problem = [], ""
        self._waiting = deque(names)
        self.count = len(names)

    def cancel(self) -> None:
        """Stops; the files written so far stay."""
        self._waiting.clear()

    def advance(self, session: Session | None) -> bool:
        """Writes one layer; True if it did. An array archive holds all layers and is written with the last."""
        if session is None or not self._waiting:
            return False
        name = self._waiting.popleft()
        single = [each for each in self.formats if each != "npz"]
        try:
            if single:
                self.files += export(session, self.folder, passes=[name], formats=single)
            if "npz" in self.formats and not self._waiting:
                self.files += export(session, self.folder, formats=["npz"])
        except TexelscopeError as error:
            self.problem = str(error)
            self._waiting.clear()
        return True


def folder_for(target: str) -> Path:
    """Returns the default folder for the layers of a target."""
    path = Path(target)
    name = path.parent.name if path.suffix == ".toml" else path.stem
    return Path(FOLDER) / (re.sub(r"[^A-Za-z0-9._-]+", "_", name) or "layers")


def save_screen(
    screen: moderngl.Framebuffer, place: tuple[float, float, float, float], window_height: int, path: Path
) -> None:
    """Saves a part of the window as just drawn; `place` is left, top, width, height from the top left.

    Raises TexelscopeError for a file that cannot be written.
    """
    left, top, width, height = (round(value) for value in place)
    bottom = window_height - top - height  # a window's row 0 is its lowest
    data = screen.read((left, bottom, width, height), components=3, alignment=1)
    pixels = np.frombuffer(data, dtype=np.uint8).reshape(height, width, 3)[::-1]
    picture = Image.fromarray(np.ascontiguousarray(pixels))
    _make_folder(path)
    write_whole(path, lambda unfinished: picture.save(unfinished, format="PNG"))


def write_text_into(path: Path, text: str) -> None:
    """Writes a text file and creates its folders. Raises TexelscopeError for a file that cannot be written."""
    _make_folder(path)
    write_text_whole(path, text)


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise TexelscopeError(str(path), "a file that can be written", reason, "Choose another folder.") from error
