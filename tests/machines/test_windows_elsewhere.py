"""The window on imitated Windows and macOS, worked by a real mouse and real keys."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.gui.desktop import Desktop, Window
from tests.gui.virtual_display import VirtualDisplay
from tests.machines.other_systems import PIXELS_A_POINT, System, environment
from tests.machines.profiles import ROOT
from texelscope.viewer.memory.settings import FILE_NAME, Settings

PIPELINE = ROOT / "examples" / "convolution_twice" / "pipeline.toml"


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    with VirtualDisplay() as server:
        yield server.name


Opens = Callable[[System, dict[str, str]], tuple[Desktop, Window]]


@pytest.fixture
def opens(display: str, tmp_path: Path) -> Iterator[Opens]:
    """Starts the program in an empty folder, for a user whose window is as large as the screen."""
    opened: list[Window] = []

    def start(system: System, more: dict[str, str]) -> tuple[Desktop, Window]:
        desktop = Desktop(display, tmp_path)
        settings = Settings(repair_seconds=0.0, size=(400, 250) if PIXELS_A_POINT in more else None, toured=True)
        for folder in SETTINGS.values():
            settings.save(tmp_path / folder / FILE_NAME)
        given = environment(system, DISPLAY=display, **more)
        given = {name: given[name] for name in ("PYTHONPATH", "TEXELSCOPE_TESTS_SYSTEM", *more)}
        given["APPDATA"] = str(tmp_path / "AppData" / "Roaming")
        opened.append(desktop.start(PIPELINE, environment=given, folder=tmp_path))
        desktop.wait_for(opened[-1], lambda seen: bool(seen) and bool(seen["verdicts"]), "it is compared")
        return desktop, opened[-1]

    yield start
    for window in opened:
        window.close()


# Where each system keeps a program's settings, below the user's own folder.
SETTINGS = {
    "linux": Path("config") / "texelscope",
    "win32": Path("AppData") / "Roaming" / "texelscope",
    "darwin": Path("Library") / "Application Support" / "texelscope",
}


def test_where_points_have_two_pixels_the_mouse_and_saved_views_meet_what_is_seen(opens: Opens, tmp_path: Path) -> None:
    desktop, window = opens("linux", {PIXELS_A_POINT: "2"})
    left, top, width, height = window.seen()["places"]["as seen"]
    assert width > 800, "the window is as large as its pixels"
    assert 1500 < left + width <= 1600
    desktop.click(*window.place_of(5, 3))
    desktop.wait_for(window, lambda seen: seen["pick"] == [5, 3], "the texel below the pointer is picked")
    desktop.press("ctrl+shift+v")
    saved = tmp_path / "out" / PIPELINE.parent.name
    desktop.wait_until(lambda: any(saved.glob("*.png")), "the view is written", window=window)
    place = (round(left), round(top), round(left) + round(width), round(top) + round(height))
    shown = np.asarray(desktop.wait_until_still().crop(place)).astype(int)
    (path,) = saved.glob("*.png")
    with Image.open(path) as picture:
        written = np.asarray(picture).astype(int)
    assert written.shape == shown.shape
    assert np.abs(written - shown).mean() < 1.0, "what is written is what is seen"


@pytest.mark.parametrize(("system", "key", "named"), [("darwin", "super", "Cmd"), ("win32", "ctrl", "Ctrl")])
def test_the_window_opens_and_takes_the_keys_of_its_system(
    opens: Opens, tmp_path: Path, system: System, key: str, named: str
) -> None:
    desktop, window = opens(system, {})
    desktop.click_on(window, "layer drawn")
    desktop.click(*window.place_of(5, 3))
    desktop.wait_for(window, lambda seen: (seen["selected"], seen["pick"]) == ("drawn", [5, 3]), "mouse")
    desktop.press(f"{key}+e")
    written = tmp_path / "out" / PIPELINE.parent.name
    desktop.wait_until(lambda: len(list(written.glob("*drawn*"))) >= 3, "the layer is written", window=window)
    desktop.press(f"{key}+F1")
    desktop.wait_for(window, lambda seen: "help keys" in seen["places"], "the keys are listed")
    desktop.write(f"{named.lower()}+shift+v")
    desktop.wait_for(window, lambda seen: "key of save_seen" in seen["places"], f"{named} is named")
    desktop.press("Escape", f"{key}+q")
    desktop.wait_until(lambda: window.process.poll() == 0, "it ends")
    kept = [name for name, folder in SETTINGS.items() if "layout" in _settings(tmp_path / folder)]
    assert kept == [system], "settings lie where this system keeps them"


def _settings(folder: Path) -> str:
    text = (folder / FILE_NAME).read_text(encoding="utf-8")
    return text if '"layout": ""' not in text else ""


def test_the_system_s_own_dialogs_answer_beside_the_path_that_is_typed(opens: Opens, tmp_path: Path) -> None:
    """A program in place of the desktop's own dialog writes what it was asked for, and answers."""
    programs, other, folder = tmp_path / "programs", tmp_path / "other", tmp_path / "pictures"
    programs.mkdir()
    folder.mkdir()
    shutil.copytree(PIPELINE.parent, other)
    dialog = programs / "zenity"
    dialog.write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\ncase "$*" in *--directory*) echo {folder};; '
        f"*) echo {other / 'model.onnx'};; esac\n",
        encoding="utf-8",
    )
    dialog.chmod(0o755)
    desktop, window = opens("linux", {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"})
    desktop.press("ctrl+o")
    desktop.click_on(window, "browse file")
    desktop.wait_for(window, lambda seen: seen["target"] == str(other / "model.onnx"), "the answer is opened")
    assert "*.onnx" in _asked(tmp_path)
    assert "*.toml" in _asked(tmp_path)
    desktop.click_on(window, "panel Export")
    desktop.click_on(window, "browse folder")
    desktop.wait_until(lambda: "--directory" in _asked(tmp_path), "a folder is asked for", window=window)
    desktop.wait_for(window, lambda seen: bool(seen["verdicts"]) and seen["settled"], "it is compared")
    desktop.click_on(window, "export all")
    desktop.wait_until(lambda: any(folder.glob("*.png")), "layers are written there", window=window)


def _asked(folder: Path) -> str:
    return (folder / "asked").read_text(encoding="utf-8")
