"""What a process keeps of opens that fail: resident memory, threads, file descriptors; and the opens themselves."""

from __future__ import annotations

import gc
import itertools
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from texelscope import pipeline
from texelscope.pipeline.target import Target
from texelscope.viewer.document.document import Document

NUMBERS = (".npy", ".png", ".jpg", ".mp4")
# All that is taken once, such as modules and the pools of the allocator, is there after so many rounds of all files.
ROUNDS_FIRST = 2
PATIENCE_SECONDS = 60.0


@dataclass(frozen=True)
class Held:
    """What a process has at a moment."""

    resident_mib: float
    threads: int
    descriptors: int

    @classmethod
    def now(cls) -> Held:
        """By this process."""
        gc.collect()
        me = psutil.Process()
        return cls(me.memory_info().rss / 2**20, threading.active_count(), me.num_fds())

    def kept(self, after: Held, share: float) -> list[str]:
        """What there is more of afterwards; of memory more than that share."""
        found = []
        if after.resident_mib > self.resident_mib * (1 + share):
            found.append(f"{self.resident_mib:.1f} MiB became {after.resident_mib:.1f}")
        if after.threads > self.threads:
            found.append(f"{self.threads} threads became {after.threads}")
        if after.descriptors > self.descriptors:
            found.append(f"{self.descriptors} file descriptors became {after.descriptors}")
        return found


def kept_by(open_one: Callable[[Path], object], files: Sequence[Path], count: int, share: float = 0.02) -> list[str]:
    """What `count` opens of those files, one after the other, leave behind once all has been opened before."""
    for _ in range(ROUNDS_FIRST):
        for path in files:
            open_one(path)
    before = Held.now()
    for path in itertools.islice(itertools.cycle(files), count):
        open_one(path)
    return before.kept(Held.now(), share)


def opens_in_python(path: Path) -> str:
    """Opens it through the Python API; what that raises, or nothing."""
    try:
        pipeline.open(path).release()
    except Exception as error:  # noqa: BLE001 - which one it may be is tested elsewhere
        return str(error)
    return ""


def opens_in_window(document: Document, path: Path) -> None:
    """As the window does: an array or a picture goes into the first input, anything else takes the target's place."""
    if path.suffix in NUMBERS:
        assert document.session is not None
        document.set_input(document.session.plan.inputs[0], str(path))
        return
    document.open(Target(str(path)))
    end = time.monotonic() + PATIENCE_SECONDS
    while document.job is not None:
        assert time.monotonic() < end, f"{path.name}: opening takes more than {PATIENCE_SECONDS:g} s"
        document.update()
        time.sleep(0.0005)
