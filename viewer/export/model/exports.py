"""Exports layers as files, one a frame, the comparison's report, and the texture panel as shown."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import moderngl
import numpy as np
from PIL import Image

from texelscope.pipeline.atomic_files import write_text_whole, write_whole
from texelscope.pipeline.crash_report.fault_log import told
from texelscope.pipeline.errors import CancelledError, TexelscopeError
from texelscope.pipeline.gl.session import Session
from texelscope.viewer.document.jobs import Job, Worker
from texelscope.viewer.document.log import MessageLog

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
        from texelscope.pipeline.export.snapshots import export

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
    """Returns the default folder for the layers of a target: a `pipeline.toml` is called as its folder."""
    path = Path(target)
    name = path.parent.name if path.name == "pipeline.toml" else path.stem
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


# Writes a file and returns its path; it calls its argument with the share done, which may raise to cancel.
Making = Callable[[Callable[[float], None]], Path]


def _nothing() -> None:
    """Does nothing after a file is written."""


class Background:
    """One file at a time; `wake` is called from the thread when there is something new to show."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._worker: Worker[Path] = Worker(wake)
        self._then: Callable[[], None] = _nothing

    @property
    def job(self) -> Job[Path] | None:
        """The file being written."""
        job = self._worker.current()
        return job if job is not None and not job.cancel.is_set() else None

    def check_free(self, title: str) -> None:
        """Raises TexelscopeError while a file is being written."""
        if self.job is not None:
            raise TexelscopeError(title, "one file at a time", f"'{self.job.title}' in progress", "Wait for it to end.")

    def make(self, title: str, making: Making, then: Callable[[], None] = _nothing) -> None:
        """Starts writing a file; `then` is called between two frames when it is complete.

        Raises TexelscopeError while another one is being written.
        """
        self.check_free(title)

        def work(job: Job[Path]) -> Path:
            def progress(share: float) -> None:
                if job.cancel.is_set():
                    raise CancelledError
                self._worker.report(job, share)

            return making(progress)

        self._then = then
        self._worker.submit(Job(title, work))

    def cancel(self) -> None:
        """Cancels the file being written."""
        if self.job is not None:
            self.job.cancel.set()

    def take_up(self, exports: Exports, log: MessageLog) -> bool:
        """Logs the outcome of files that have ended; True if there was one."""
        jobs = self._worker.finished()
        for job in jobs:
            if job.result is not None and not job.cancel.is_set():
                exports.files, exports.problem = [job.result], ""
                log.add(f"Wrote {job.result}")
                self._then()
            elif isinstance(job.error, CancelledError) or job.cancel.is_set():
                log.add(f"{job.title}: cancelled.")
            elif job.error is not None:
                exports.problem = told(job.title, job.error)
                log.add(exports.problem, error=True)
        return bool(jobs)

    def close(self) -> None:
        """Ends the thread."""
        self._worker.close()
