"""A shader that is saved while the window is open may be anything: its pass is marked, the window lives on."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.gui.desktop import Desktop, Window, all_match

EXAMPLE = ROOT / "examples" / "webgl_cnn"
HUNDRED_MEGABYTES = 100_000_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example whose passes all match."""
    return Path(shutil.copytree(EXAMPLE, tmp_path_factory.mktemp("work") / "cnn"))


@pytest.fixture(scope="module")
def opened(desktop: Desktop, folder: Path) -> Iterator[Window]:
    """Returns one window on that copy, compared, with the source of its fourth pass shown."""
    window = desktop.start(folder / "fixed.toml")
    desktop.wait_for(window, all_match, "every pass matches")
    desktop.click_on(window, "layer up1")
    desktop.wait_for(window, lambda seen: seen["selected"] == "up1" and seen["settled"], "up1 is shown")
    yield window
    window.close()


@pytest.fixture
def shader(desktop: Desktop, opened: Window, folder: Path) -> Iterator[Path]:
    """The shader of the last three passes, as it was afterwards."""
    path = folder / "up.frag"
    text = path.read_text(encoding="utf-8")
    yield path
    path.write_text(text, encoding="utf-8")
    desktop.wait_for(opened, all_match, "every pass matches again")


def verdicts(window: Window) -> list[str]:
    return [window.seen()["verdicts"][name] for name in ("down1", "down2", "down3", "up1", "up2", "up3")]


def select(desktop: Desktop, window: Window, name: str) -> float:
    """Seconds until a click on a layer has selected it."""
    at = desktop.point_at(window, f"layer {name}")
    start = time.monotonic()
    desktop.click(*at)
    desktop.wait_for(window, lambda seen: seen["selected"] == name, f"{name} is selected")
    return time.monotonic() - start


def test_a_shader_of_a_hundred_megabytes_is_not_taken_up(desktop: Desktop, opened: Window, shader: Path) -> None:
    used = opened.cpu_seconds()
    with shader.open("wb") as file:
        for _ in range(100):
            file.write(b"x" * (HUNDRED_MEGABYTES // 100))
    said = f"error: up.frag:1: expected a shader that compiles, got {HUNDRED_MEGABYTES} bytes of source"
    desktop.wait_for(opened, lambda seen: any(line.startswith(said) for line in seen["log"]), "its size is told")
    desktop.wait_for(opened, lambda seen: seen["verdicts"].get("up1") == "error", "its passes are marked")
    assert verdicts(opened) == ["match"] * 3 + ["error"] * 3
    assert opened.seen()["position"] == 6  # what it made before is still there to look at
    assert select(desktop, opened, "down2") < 3.0
    assert select(desktop, opened, "up1") < 3.0
    assert opened.cpu_seconds() - used < 10.0
    desktop.press("F5")
    desktop.wait_for(opened, lambda seen: seen["settled"] and seen["position"] == 6, "the others run again")


NUMBERS = {"1e20": "vec4(1e20)", "both ends of float32": "vec4(gl_FragCoord.x < 9.0 ? 3.4e38 : -3.4e38)",
           "NaN": "vec4(log(-1.0 - sum * sum))", "infinity": "vec4(1.0 / max(sum, 0.0))"}  # fmt: skip


@pytest.mark.parametrize("result", NUMBERS.values(), ids=NUMBERS)
def test_any_number_is_compared_and_shown_and_nothing_is_said_of_it_on_the_terminal(
    desktop: Desktop, opened: Window, shader: Path, result: str
) -> None:
    text = shader.read_text(encoding="utf-8")
    shader.write_text(f"{text.rstrip().removesuffix('}')}    result = {result};\n}}\n", encoding="utf-8")
    desktop.wait_for(opened, lambda seen: seen["verdicts"].get("up1") in ("mismatch", "nan"), "it is compared")
    desktop.wait_until(lambda: "/6 match · first wrong: up1" in desktop.title(opened), "the title says so", 60, opened)
    for mode in ("difference", "split", "actual"):
        desktop.click_on(opened, f"mode {mode}")
    desktop.wait_for(opened, lambda seen: seen["settled"] and not seen["busy"], "it is looked at")
    assert "Warning" not in opened.printed()


def test_a_loop_without_end_leaves_a_wrong_pass_and_a_window(desktop: Desktop, opened: Window, shader: Path) -> None:
    lines = shader.read_text(encoding="utf-8").split("\n")
    start = next(number for number, line in enumerate(lines) if line.startswith("    float sum = "))
    lines.insert(start + 1, "    while (true) { while (sum > -1e9) sum += 1.0; }")
    shader.write_text("\n".join(lines), encoding="utf-8")
    desktop.wait_for(opened, lambda seen: seen["verdicts"].get("up1") in ("mismatch", "nan"), "it is compared")
    assert verdicts(opened)[:3] == ["match"] * 3
    desktop.wait_for(opened, lambda seen: seen["settled"], "everything has run")
    assert select(desktop, opened, "down2") < 3.0
    assert select(desktop, opened, "up1") < 3.0
