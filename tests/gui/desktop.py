"""A person at a desktop: starts a program, moves the mouse, presses keys, looks at the screen.

Positions are pixels of the screen, (0, 0) at the top left. There is no window manager, so a window stands
where its program puts it, without a frame. Mouse and keys go through the X server (XTEST, by way of xdotool):
the program cannot distinguish them from real ones.

A person looks before the next stroke. So does the desktop: a stroke ends when a window that reports its contents (see
`viewer.shell.probe`) has noticed it and drawn its effect, however slow the machine is.
"""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
from PIL import Image, ImageChops, ImageGrab

from tests.checkout import ROOT

# For programs that do not report what they show. Longer than two frames on the software driver: an immediate-mode UI
# must see the pointer arrive, the button go down, and the button come up, in separate frames.
PAUSE_SECONDS = 0.05
LOOK_SECONDS = 0.01
# A look for windows is a separate process, which the program that starts needs the time of.
WINDOWS_SECONDS = 0.05
# A machine under load may be this slow to notice a stroke; so long a pointer that goes nowhere is waited for.
NOTICE_SECONDS, POINTER_SECONDS = 30.0, 2.0
# Nothing takes so long, not even where ten others want the same cores.
PATIENCE_SECONDS = 150.0
# A window that never rests has shown what came of a stroke after so many frames more.
FRAMES_TO_SHOW = 4
NEEDS_SHIFT = '~!@#$%^&*()_+{}|:"<>?'

Position = tuple[int, int]
Seen = list[dict[str, Any]]


def all_match(seen: dict[str, Any]) -> bool:
    """Whether everything has run, is compared and matches."""
    rests = bool(seen) and not seen["busy"] and not seen["running"]
    return rests and set(seen["verdicts"].values()) == {"match"}


@dataclass(frozen=True)
class Window:
    """A running program's window: its X identifier, where its output goes, and where it says what it shows."""

    identifier: str
    process: subprocess.Popen[bytes]
    output: Path
    probe: Path
    _last: dict[int, dict[str, Any]] = field(default_factory=dict, repr=False, compare=False)

    def printed(self) -> str:
        """Returns what the program has written so far to standard output and standard error."""
        return self.output.read_text(encoding="utf-8", errors="replace")

    def seen(self) -> dict[str, Any]:
        """Returns what the newest frame shows, as `viewer.shell.probe` reports it; empty before the first one."""
        try:
            written = self.probe.stat().st_mtime_ns
            if written not in self._last:  # who waits asks a hundred times a second; what is at rest is not read anew
                read = json.loads(self.probe.read_text(encoding="utf-8"))
                self._last.clear()
                self._last[written] = read
        except FileNotFoundError:
            return {}
        return dict(self._last[written])

    def place_of(self, tx: int, ty: int) -> Position:
        """Returns the place on the screen of the middle of a texel."""
        seen = self.seen()
        left, top, width, height = seen["places"]["canvas"]
        x, y = (
            start + (texel + 0.5) * seen["zoom"] - round(centre * seen["zoom"] - size / 2)
            for centre, texel, start, size in zip(seen["centre"], (tx, ty), (left, top), (width, height), strict=True)
        )
        return math.ceil(x - 0.5), math.ceil(y - 0.5)  # a picture starts at a whole pixel, and pixels at whole places

    def cpu_seconds(self) -> float:
        """Processor time that the program has used so far, in its own code and in the system's."""
        used = psutil.Process(self.process.pid).cpu_times()
        return used.user + used.system

    def close(self) -> None:
        """End the program if it still runs."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class Desktop:
    """The one display of a test run. `home` is the folder that started programs take for the user's own."""

    def __init__(self, display: str, home: Path) -> None:
        self.home = home
        self._environment = {**os.environ, "DISPLAY": display, "HOME": str(home)}
        # Plug-ins that the caller's path has are the program's too.
        self._environment["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        self._environment |= {"XDG_CONFIG_HOME": str(home / "config"), "XDG_CACHE_HOME": str(home / "cache")}
        self._environment |= {"XDG_DATA_HOME": str(home / "data"), "XDG_STATE_HOME": str(home / "state")}
        # The driver's compiled shaders are the machine's, not the user's: no module compiles what another has.
        cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        self._environment.setdefault("MESA_SHADER_CACHE_DIR", cache)
        self._environment.pop("WAYLAND_DISPLAY", None)
        self._display = display
        self._started: list[Window] = []

    @property
    def environment(self) -> Mapping[str, str]:
        """The environment of started programs: this display, and the folders of a user of their own."""
        return self._environment

    def start(
        self,
        *arguments: str | Path,
        script: str | Path = "app.py",
        seconds: float = PATIENCE_SECONDS,
        environment: Mapping[str, str] | None = None,
        folder: Path = ROOT,
    ) -> Window:
        """Start a Python program of the checkout in `folder`, wait for its window, give it the keyboard."""
        output = self.home / f"output-{time.monotonic_ns()}.txt"
        probe = output.with_suffix(".json")
        others = self._windows()
        command = [sys.executable, str(ROOT / script), *map(str, arguments)]
        with output.open("wb") as stream:
            process = subprocess.Popen(
                command,
                cwd=folder,
                env={**self._environment, "TEXELSCOPE_PROBE": str(probe), **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
            )
        window = Window("", process, output, probe)
        try:
            self.wait_until(lambda: self._windows() > others, "a window opens", seconds, window, WINDOWS_SECONDS)
        except BaseException:
            window.close()
            raise
        window = Window((self._windows() - others).pop(), process, output, probe)
        self._started.append(window)
        self._xdotool("windowfocus", window.identifier)
        return window

    def resize(self, window: Window, width: int, height: int) -> None:
        """Give the window another size, in pixels; its top left stays."""
        self._xdotool("windowsize", window.identifier, str(width), str(height))
        self.pause()

    def move(self, x: int, y: int) -> None:
        """Put the pointer at a position."""
        self._xdotool("mousemove", str(x), str(y))
        at = [x, y]
        self._wait_until_drawn(lambda seen: any(each.get("pointer") == at for each in seen), POINTER_SECONDS)

    def click(self, x: int, y: int, *, button: int = 1, times: int = 1) -> None:
        """Press and release a mouse button there (1 left, 2 middle, 3 right), several times fast if `times` says so."""
        self.move(x, y)
        self._stroke("click", "--repeat", str(times), "--delay", "40", str(button), strokes=2 * times)

    def drag(self, start: Position, end: Position, *, button: int = 1, steps: int = 4) -> None:
        """Press at `start`, move to `end` in steps, release."""
        self.move(*start)
        self._stroke("mousedown", str(button), strokes=1)
        for step in range(1, steps + 1):
            at = [round(a + (b - a) * step / steps) for a, b in zip(start, end, strict=True)]
            self.move(*at)
        self._stroke("mouseup", str(button), strokes=1)

    def hold(self, start: Position, end: Position) -> None:
        """Press the left mouse button at `start`, and move to `end` with it."""
        self.move(*start)
        self._stroke("mousedown", "1", strokes=1)
        self.move(*end)

    def let_go(self) -> None:
        """Release the left mouse button."""
        self._stroke("mouseup", "1", strokes=1)

    def scroll(self, x: int, y: int, notches: int) -> None:
        """Turn the wheel with the pointer there: up (away from the user) if `notches` is positive."""
        self.move(x, y)
        for _ in range(abs(notches)):
            self._stroke("click", "4" if notches > 0 else "5", strokes=1)

    def press(self, *keys: str) -> None:
        """Press and release each key or chord in turn, by its X name: `Right`, `F5`, `ctrl+p`."""
        for key in keys:
            self._stroke("key", key, strokes=len(key.split("+")))

    def press_at_once(self, *keys: str, within_frame: Window | None = None) -> None:
        """The same, one right after the other, with a look at the end: for keys none of which waits for another.

        A window that they come `within_frame` of is stopped meanwhile, as one is whose frame takes long.
        """
        strokes = sum(len(key.split("+")) for key in keys)
        self._stroke("key", *keys, strokes=strokes, stopped=within_frame)

    def write(self, text: str) -> None:
        """Type a text."""
        with_shift = sum(each.isupper() or each in NEEDS_SHIFT for each in text)
        self._stroke("type", "--delay", "5", text, strokes=len(text) + with_shift)

    def close_window(self, window: Window) -> None:
        """Acts as the window's close button does: asks the program to close it."""
        command = [sys.executable, str(Path(__file__).with_name("close_button.py")), window.identifier]
        subprocess.run(command, env=self._environment, timeout=20, check=True)

    def title(self, window: Window) -> str:
        """Returns the window's title."""
        return self._run("getwindowname", window.identifier).stdout.strip()

    def point_at(self, window: Window, place: str, across: float = 0.5, down: float = 0.5) -> Position:
        """The screen position of a control that the window shows, `across` and `down` being shares of its size."""
        stood: list[tuple[int, list[float]]] = []

        def stands() -> bool:
            seen = window.seen()
            if place not in seen.get("places", {}):
                return False
            before, now = stood[-1:], (seen["frame"], seen["places"][place])
            stood.append(now)
            return bool(seen["settled"] or (before and before[0][0] < now[0] and before[0][1] == now[1]))

        self.wait_until(stands, f"'{place}' stands still", window=window)
        left, top, width, height = stood[-1][1]
        return round(left + width * across), round(top + height * down)

    def click_on(self, window: Window, place: str, **how: int) -> None:
        """Click on the middle of a control that the window shows, by its name there."""
        self.click(*self.point_at(window, place), **how)

    def wait_for(
        self, window: Window, holds: Callable[[dict[str, Any]], bool], what: str, seconds: float = PATIENCE_SECONDS
    ) -> None:
        """Look at what the window shows until it holds."""
        try:
            self.wait_until(lambda: holds(window.seen()), what, seconds, window)
        except AssertionError as error:
            error.add_note(f"The window shows: {window.seen()}")
            raise

    def screenshot(self) -> Image.Image:
        """Returns the whole screen, RGB."""
        return ImageGrab.grab(xdisplay=self._display).convert("RGB")

    def colour_at(self, x: int, y: int) -> tuple[int, int, int]:
        """Returns the screen's colour there: red, green and blue of 0 to 255."""
        pixel = ImageGrab.grab((x, y, x + 1, y + 1), xdisplay=self._display).convert("RGB")
        red, green, blue = pixel.tobytes()
        return red, green, blue

    def wait_until(
        self,
        holds: Callable[[], bool],
        what: str,
        seconds: float = PATIENCE_SECONDS,
        window: Window | None = None,
        between: float = LOOK_SECONDS,
    ) -> None:
        """Look again and again until it holds. Fails with `what` and with what the program printed."""
        end = time.monotonic() + seconds
        while not holds():
            said = f"; it printed:\n{window.printed()}" if window else ""
            if window and window.process.poll() is not None:
                raise AssertionError(f"waiting until {what}: the program ended with {window.process.returncode}{said}")
            if time.monotonic() > end:
                raise AssertionError(f"waiting until {what}: not after {seconds:g} s{said}")
            time.sleep(between)

    def wait_until_still(self, *, still_seconds: float = 0.4, seconds: float = PATIENCE_SECONDS) -> Image.Image:
        """Wait until the screen has not changed for a while; the picture that stays."""
        end = time.monotonic() + seconds
        picture, since = self.screenshot(), time.monotonic()
        while time.monotonic() - since < still_seconds:
            assert time.monotonic() < end, f"the screen still changes after {seconds:g} s"
            time.sleep(LOOK_SECONDS)
            newer = self.screenshot()
            if ImageChops.difference(picture, newer).getbbox() is not None:
                picture, since = newer, time.monotonic()
        return picture

    def pause(self) -> None:
        """Lets a program that does not report what it shows draw a frame or two."""
        time.sleep(PAUSE_SECONDS)

    def _stroke(self, *arguments: str, strokes: int, stopped: Window | None = None) -> None:
        """Runs xdotool with these words; the program hears of that many strokes, counted as `Probe.write` says.

        A window that is `stopped` hears of all of them at the end.
        """
        before = sum(each["strokes"] for each in self._seen())
        if stopped is not None:
            stopped.process.send_signal(signal.SIGSTOP)
        try:
            self._xdotool(*arguments)
        finally:
            if stopped is not None:
                stopped.process.send_signal(signal.SIGCONT)
        heard = self._wait_until_drawn(lambda seen: sum(each["strokes"] for each in seen) >= before + strokes)
        assert heard, f"xdotool {' '.join(arguments)}: no window noticed it within {NOTICE_SECONDS:g} s"

    def _wait_until_drawn(self, noticed: Callable[[Seen], bool], seconds: float = NOTICE_SECONDS) -> bool:
        """Waits until the windows have noticed, and shown the effect. Returns False if they notice nothing."""
        if not self._seen():
            self.pause()
            return True
        end = time.monotonic() + seconds
        while (seen := self._seen()) and not noticed(seen):
            if time.monotonic() > end:
                return False
            time.sleep(LOOK_SECONDS)
        enough = [each["frame"] + FRAMES_TO_SHOW for each in seen]
        while len(seen := self._seen()) == len(enough):
            if all(each["settled"] or each["frame"] >= frame for each, frame in zip(seen, enough, strict=True)):
                break
            time.sleep(LOOK_SECONDS)
        return True

    def _seen(self) -> Seen:
        """Returns what each running window that reports itself shows."""
        return [seen for each in self._started if each.process.poll() is None and (seen := each.seen())]

    def _windows(self) -> set[str]:
        """Identifiers of the windows on the screen that have a title."""
        return set(self._run("search", "--onlyvisible", "--name", ".").stdout.split())

    def _xdotool(self, *arguments: str) -> None:
        done = self._run(*arguments)
        assert done.returncode == 0, f"xdotool {' '.join(arguments)}: {done.stderr.strip()}"

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = ["xdotool", *arguments]
        return subprocess.run(command, env=self._environment, capture_output=True, text=True, timeout=20, check=False)
