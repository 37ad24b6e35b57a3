"""Runs the storm: seeded random events on one window, observed meanwhile."""

from __future__ import annotations

import random
import string
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from tests.events.files import EXAMPLE, base_target, edits, other_files
from tests.events.hand import Hand
from tests.gui.desktop import Desktop, Window
from tests.gui.file_drop import Source

FREEZE_SECONDS = 3.0
# Long enough to call it dead.
DEAD_SECONDS = 60.0
LOOK_SECONDS = 0.004
# What nobody asked for, such as a diagnosis, waits for a hand at rest.
SETTLE_SECONDS = 0.5
MEMORY_LOOKS = 6
# Of 20,000 events; more would be an end that nobody chose.
MOST_QUITS = 3
# Small first, and more often: a software driver draws every frame of it.
SIZES = ((1000, 640), (1280, 800), (1600, 1000), (640, 480))
SHARES = (4, 1, 1, 4)
# Never ctrl+q: it has to live.
KEYS = (
    *(f"F{number}" for number in range(1, 13)), *"123456abcdefgiklnorsuvwxyz", "Escape", "Escape", "Return", "Tab",
    "space", "BackSpace", "Delete", "Left", "Right", "Up", "Down", "Home", "End", "Prior", "Next", "minus", "equal",
    "ctrl+p", "ctrl+g", "ctrl+f", "ctrl+t", "ctrl+w", "ctrl+s", "ctrl+z", "ctrl+y", "ctrl+c", "ctrl+v", "ctrl+a",
    "ctrl+Left", "ctrl+Right", "ctrl+1", "ctrl+i", "ctrl+o", "shift+F5", "shift+F10", "shift+F11", "shift+r", "shift+w",
    "alt+F5", "ctrl+Next", "ctrl+shift+a", "alt+1", "alt+2", "alt+3",
)  # fmt: skip


@dataclass(frozen=True)
class Checkpoint:
    """Measures the window after so many events, restored to its start: MiB of memory, GL objects by kind.

    `slowest` is the event that waited longest for its frame since the checkpoint before.
    """

    events: int
    resident_mib: float
    objects: dict[str, int]
    slowest_seconds: float
    slowest: str = ""

    def figure(self, what: str) -> float:
        """Returns one of them: `resident MiB`, or a kind of objects."""
        return self.objects.get(what, self.resident_mib)


@dataclass
class Outcome:
    """Holds the observations."""

    checkpoints: list[Checkpoint] = field(default_factory=list)
    freezes: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    quits: list[str] = field(default_factory=list)
    ended: str = ""


class Storm:
    """Sends random events to one window of a program, on a copy of an example in `folder`."""

    def __init__(self, desktop: Desktop, hand: Hand, folder: Path, seed: int, drops: int = 2) -> None:
        self._desktop, self._hand = desktop, hand
        self._random, self._drops = random.Random(seed), drops
        self._files = other_files(folder)
        self._base = base_target(folder)
        self._shaders = sorted(self._base.parent.glob("*.frag"))
        self._folder = folder
        self._window = self._started()
        self._first = self._window.seen()
        self._slowest = (0.0, "")
        self.outcome = Outcome()

    def _started(self) -> Window:
        window = self._desktop.start(self._base, folder=self._folder)
        self._desktop.wait_for(window, lambda seen: bool(seen.get("verdicts")), "all is compared")
        self._size, self._said = SIZES[0], 0
        self._desktop.resize(window, *self._size)
        return window

    def run(self, count: int, between: int, tell: Callable[[Checkpoint], None]) -> Outcome:
        """`count` events, with a checkpoint after each `between` of them, or until the program ends."""
        kinds: list[tuple[Callable[[], str], int]] = [
            (self._click_control, 40), (self._click_anywhere, 10), (self._drag, 8), (self._wheel, 8), (self._key, 22),
            (self._type, 3), (self._save, 4), (self._drop, self._drops), (self._resize, 1), (self._wander, 2),
        ]  # fmt: skip
        actions, weights = zip(*kinds, strict=True)
        begun = 0
        for number in range(1, count + 1):
            if self._was_quit() and len(self.outcome.quits) < MOST_QUITS:
                self._begin_again()
                begun = number - 1
            if self.outcome.ended:
                break
            (action,) = self._random.choices(actions, weights)
            if self._seen()["closing"]:  # a click may have asked for the end, which any key might confirm
                self._press("Escape")
            did = action()
            self._answers(f"event {number}: {did}")
            self._listen()
            if number % between == 0 and not self.outcome.ended:
                tell(self._checkpoint(number - begun))
        return self.outcome

    def _was_quit(self) -> bool:
        """Whether the program ended as it does when somebody chooses Quit: a click may hit it in a menu that moved."""
        return bool(self.outcome.ended) and self._window.process.poll() == 0

    def _begin_again(self) -> None:
        """Starts a window whose memory is measured anew."""
        self.outcome.quits.append(self.outcome.ended)
        self.outcome.ended = ""
        self.outcome.checkpoints.clear()
        self._window = self._started()

    def open_each_once(self) -> None:
        """Drops every file, and injects a value: what is taken once is there from then on.

        That is the modules that read videos, or ONNX Runtime for an operator that nobody knows: tens of MiB each.
        """
        for path in (*self._files, self._base):
            self._let_go(path)
            if self.outcome.ended:
                return
            end = time.monotonic() + DEAD_SECONDS
            while self._answers(f"drops {path.name} at first") and self._seen()["busy"] and time.monotonic() < end:
                time.sleep(SETTLE_SECONDS)
            if place := self._seen()["places"].get("layer odd_one"):
                left, top, width, height = place
                self._hand.move(round(left + width / 2), round(top + height / 2))
                self._hand.click()
                self._answers("selects it")
                self._press("ctrl+i")

    def close(self) -> None:
        """Ends the program."""
        self._window.close()

    # -- events ---------------------------------------------------------------------------------------------------

    def _seen(self) -> dict[str, Any]:
        return self._window.seen()

    def _click_control(self) -> str:
        places = {name: place for name, place in self._seen()["places"].items() if "quit" not in name}
        while True:
            name = self._random.choice(sorted(places))
            left, top, width, height = places[name]
            x = round(left + width * self._random.uniform(0.05, 0.95))
            y = round(top + height * self._random.uniform(0.1, 0.9))
            if not self._would_end(x, y):  # an open menu lies over what it covers
                break
        self._hand.move(x, y)
        button = self._random.choices((1, 3, 2), (85, 13, 2))[0]
        for _ in range(self._random.choice((1, 1, 1, 1, 2))):
            self._hand.click(button)
        return f"button {button} on '{name}'"

    def _place(self) -> tuple[int, int]:
        """Anywhere below the title bar, but not where a click would end the program."""
        while True:
            x, y = self._random.randrange(self._size[0]), self._random.randrange(24, self._size[1])
            if not self._would_end(x, y):
                return x, y

    def _would_end(self, x: int, y: int) -> bool:
        ends = [place for name, place in self._seen()["places"].items() if "quit" in name]
        return any(0 <= x - left <= width and 0 <= y - top <= height for left, top, width, height in ends)

    def _click_anywhere(self) -> str:
        at = self._place()
        self._hand.move(*at)
        self._hand.click(self._random.choice((1, 1, 1, 3)))
        return f"click at {at}"

    def _drag(self) -> str:
        start, end = self._place(), self._place()
        button = self._random.choice((1, 1, 2))
        self._hand.move(*start)
        self._hand.button(button, down=True)
        self._hand.move(*end)
        self._hand.button(button, down=False)
        return f"drag from {start} to {end}"

    def _wheel(self) -> str:
        at = self._place()
        self._hand.move(*at)
        button = self._random.choice((4, 5))
        for _ in range(self._random.randint(1, 4)):
            self._hand.click(button)
        return f"wheel at {at}"

    def _wander(self) -> str:
        for _ in range(5):
            self._hand.move(*self._place())
        return "moves"

    def _key(self) -> str:
        key = self._random.choice(KEYS)
        if key in ("Return", "space") and any("quit" in name for name in self._seen()["places"]):
            key = "Escape"  # the arrows may stand on it
        self._hand.press(key)
        return f"key {key}"

    def _type(self) -> str:
        text = "".join(self._random.choices(string.ascii_lowercase + string.digits, k=self._random.randint(1, 6)))
        for each in text:
            self._hand.press(each)
        return f"types {text}"

    def _save(self) -> str:
        path = self._random.choice(self._shaders)
        number = self._random.randrange(len(edits("")))
        path.write_text(edits((EXAMPLE / path.name).read_text(encoding="utf-8"))[number], encoding="utf-8")
        return f"saves edit {number} of {path.name}"

    def _drop(self) -> str:
        path = self._base if self._random.random() < 0.5 else self._random.choice(self._files)
        self._hand.move(*self._place())
        self._let_go(path)
        return f"drops {path.name}"

    def _resize(self) -> str:
        (self._size,) = self._random.choices(SIZES, SHARES)
        self._desktop.resize(self._window, *self._size)
        return f"resizes to {self._size}"

    # -- what is seen ---------------------------------------------------------------------------------------------

    def _answers(self, did: str) -> bool:
        """Whether a frame drawn after the event shows the pointer where it is then; how long that took is noted."""
        start = time.monotonic()
        at = [self._random.randrange(2, 600), self._random.randrange(40, 440)]
        self._hand.move(*at)
        while self._seen().get("pointer") != at:
            took = time.monotonic() - start
            if self._window.process.poll() is not None:
                self.outcome.ended = f"{did}: the program ended with {self._window.process.returncode}"
                return False
            if took > DEAD_SECONDS:
                self.outcome.ended = f"{did}: no frame in {took:.0f} s"
                return False
            time.sleep(LOOK_SECONDS)
        took = time.monotonic() - start
        self._slowest = max(self._slowest, (took, did))
        if took > FREEZE_SECONDS:
            self.outcome.freezes.append(f"{did}: {took:.1f} s")
        return True

    def _listen(self) -> None:
        """Notes what the program printed of failures since the last look."""
        printed = self._window.printed()
        new, self._said = printed[self._said :], len(printed)
        self.outcome.failures += [line for line in new.splitlines() if line.startswith("Traceback") or "Error:" in line]

    def _checkpoint(self, number: int) -> Checkpoint:
        """Back to the example as it was, with one tab; then what the program takes."""
        self._size = SIZES[0]
        self._desktop.resize(self._window, *self._size)
        for shader in self._shaders:
            shader.write_text((EXAMPLE / shader.name).read_text(encoding="utf-8"), encoding="utf-8")
        self._comes_back()
        asked = self._window.probe.with_suffix(".count")
        asked.touch()
        self._answers("count")
        seen = self._seen()
        asked.unlink()
        made = Checkpoint(number, self._resident_mib(), seen["objects"], *self._slowest)
        self._slowest = (0.0, "")
        self.outcome.checkpoints.append(made)
        return made

    def _resident_mib(self) -> float:
        """The least of several looks: what a job freed goes back half a second later."""
        process, looks = psutil.Process(self._window.process.pid), []
        for _ in range(MEMORY_LOOKS):
            time.sleep(SETTLE_SECONDS)
            looks.append(process.memory_info().rss)
        return min(looks) / 2**20

    def _let_go(self, path: Path) -> None:
        """Drops a file on the window, which has to take it whatever it does."""
        if not self._answers(f"drops {path.name}"):  # the X server ends a process that sends to a window that is gone
            return
        try:
            with Source(int(self._window.identifier), [path], 1) as source:
                source.drop(*self._place())
        except SystemExit as reason:
            self.outcome.failures.append(f"drop of {path.name}: {reason}")

    def _comes_back(self) -> None:
        """Has the example opened as at first, whatever was open, asked, running or chosen."""
        for _ in range(4):
            self._press("Escape")
        self._let_go(self._base)
        for key in ("ctrl+shift+a", *["ctrl+w"] * 12, "r", "1", "F5"):
            self._press(key)
        end = time.monotonic() + DEAD_SECONDS
        while self._window.process.poll() is None and (amiss := self._amiss(self._seen())):
            if time.monotonic() > end:
                self.outcome.failures.append(f"the example does not come back: {', '.join(amiss)}")
                break
            if "not diagnosed" in amiss and time.monotonic() > end - DEAD_SECONDS / 2:
                amiss["not diagnosed"] = "Escape"  # an event may have asked for minutes of search a layer
            for key in dict.fromkeys(filter(None, amiss.values())):
                self._press(key)
            time.sleep(SETTLE_SECONDS)

    def _press(self, key: str) -> None:
        self._hand.press(key)
        self._answers(f"key {key}")

    def _amiss(self, seen: dict[str, Any]) -> dict[str, str]:
        """Yields each difference from the start, with the key that undoes it; with none where time undoes it."""
        if "leave discard" in seen["places"]:  # takes all keys
            return {"a question": "d"}
        found = {
            "playing": ("ctrl+period", seen["playing"] is not None),
            "running continuously": ("F8", seen["continuous"]),
            "fused": ("alt+F5", seen["fused"]),
            f"backend {seen['backend']}": ("shift+b", seen["backend"] != self._first["backend"]),
            "held against a run": ("shift+o", seen["against"] or seen["shown"]),
            "a capture": ("ctrl+shift+w", bool(seen["captured"])),
            f"mode {seen['mode']}": ("1", seen["mode"] != "actual"),
            "stepping": ("Escape", seen["stepping"] is not None),
            f"{seen['busy']}": ("", seen["busy"]),
            "not diagnosed": ("", seen["diagnosing"] or not any(seen["named"].values())),
            f"target {seen['target']}": ("", seen["target"] != str(self._base)),
            "not compared": ("", not seen["verdicts"]),
            "not settled": ("", not seen["settled"]),
        }
        return {what: key for what, (key, holds) in found.items() if holds}
