"""A person at work on a shader of their own: what it reads, saves from outside and inside, findings, the oracle."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.gui.desktop import Desktop, Window, all_match

EXAMPLE = ROOT / "examples" / "webgl_cnn"
GUARD = "if (any(lessThan(at, vec2(0.0))) || any(greaterThan(at, vec2(1.0)))) continue;"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example whose passes all match."""
    return Path(shutil.copytree(EXAMPLE, tmp_path_factory.mktemp("work") / "cnn"))


@pytest.fixture(scope="module")
def opened(desktop: Desktop, folder: Path) -> Iterator[Window]:
    """Returns one window on that copy, compared."""
    window = desktop.start(folder / "fixed.toml")
    desktop.wait_for(window, all_match, "every pass matches")
    yield window
    window.close()


@pytest.fixture
def shader(desktop: Desktop, opened: Window, folder: Path) -> Iterator[Path]:
    """The shader of the first passes, as it was afterwards; its second pass is shown."""
    path = folder / "down.frag"
    text = path.read_text(encoding="utf-8")
    if opened.seen()["selected"] != "down2":  # a second click would be a double one
        desktop.click_on(opened, "layer down2")
    desktop.wait_for(opened, lambda seen: seen["selected"] == "down2" and seen["settled"], "down2 is shown")
    yield path
    path.write_text(text, encoding="utf-8")
    desktop.wait_for(opened, all_match, "every pass matches again")


def test_a_picked_texel_shows_what_it_reads(desktop: Desktop, opened: Window, shader: Path) -> None:
    desktop.click_on(opened, "panel Taps")
    desktop.click(*opened.place_of(16 + 8, 8))
    desktop.wait_for(opened, lambda seen: bool(seen["taps"]), "the reads are shown")
    taps = opened.seen()["taps"]
    assert (taps["name"], taps["wrong"]) == ("down2", 0)
    assert taps["reads"] == 2 * 16 * 16 + 1  # a value and a weight for each kernel place and channel, and the bias


def test_a_save_shows_and_its_bug_is_named(desktop: Desktop, opened: Window, shader: Path) -> None:
    shader.write_text(shader.read_text(encoding="utf-8").replace(GUARD, ""), encoding="utf-8")
    desktop.wait_for(opened, lambda seen: seen["verdicts"].get("down1") == "mismatch", "the border is wrong")
    desktop.click_on(opened, "layer down1")
    desktop.click_on(opened, "panel Findings")
    desktop.wait_for(opened, lambda seen: bool(seen["findings"]), "it has a name")
    assert opened.seen()["findings"][0] == "tile_bleed"


def test_a_shader_that_does_not_compile_says_where_and_the_last_good_one_stays(
    desktop: Desktop, opened: Window, shader: Path
) -> None:
    lines = shader.read_text(encoding="utf-8").split("\n")
    wrong = lines.index("    vec2 tile = floor(st);")
    lines[wrong] = "    vec2 tile = floored(st);"
    shader.write_text("\n".join(lines), encoding="utf-8")
    desktop.wait_for(opened, lambda seen: seen["verdicts"].get("down2") == "error", "the error is shown")
    errors = [line for line in opened.seen()["log"] if line.startswith("error: ")]
    assert f"down.frag:{wrong + 1}" in errors[-1]
    assert "floored" in errors[-1]
    assert opened.seen()["position"] == 6  # everything is still there to look at
    desktop.wait_for(opened, lambda seen: "last good figures" in seen["places"], "its figures are still known")


def test_a_shader_is_edited_and_saved_in_the_window(desktop: Desktop, opened: Window, shader: Path) -> None:
    """A save keeps caret, selection and undo; only what another program saved is asked about, and can be undone."""
    text = shader.read_text(encoding="utf-8")
    shader.write_bytes(text.replace("\n", "\r\n").encode())

    def third_line() -> str:
        return shader.read_text(encoding="utf-8").split("\n")[2]

    desktop.click(*desktop.point_at(opened, "shader text"))
    desktop.press("ctrl+Home")
    desktop.press("Down", "Down", "End")
    line = third_line()
    for typed in (" // n", "o"):
        save_typed(desktop, opened, typed)
        assert "take other" not in opened.seen()["places"]
    assert third_line() == f"{line} // no"
    assert shader.read_bytes().count(b"\r\n") == text.count("\n"), "lines end as they did"
    desktop.press("shift+Left", "ctrl+s")
    desktop.write("e")
    desktop.wait_for(opened, lambda seen: seen["unsaved"] == ["down.frag"], "it is to be saved")
    desktop.press("ctrl+s")
    desktop.wait_until(lambda: third_line() == f"{line} // ne", "it replaced the selected letter")
    desktop.press("ctrl+z", "ctrl+z", "ctrl+s")
    desktop.wait_until(lambda: third_line() == f"{line} // n", "strokes before a save are undone")
    desktop.wait_for(opened, lambda seen: not seen["unsaved"] and seen["settled"], "all is saved")

    desktop.write("y")
    desktop.press("ctrl+q")
    desktop.wait_for(opened, lambda seen: "leave save" in seen["places"], "it is asked before the window closes")
    desktop.press("Escape")
    desktop.wait_for(opened, lambda seen: "leave save" not in seen["places"], "it stays open")
    desktop.close_window(opened)
    desktop.click_on(opened, "leave cancel")
    desktop.wait_for(opened, lambda seen: seen["unsaved"] == ["down.frag"], "and nothing is lost")

    shader.write_text(text, encoding="utf-8")
    desktop.click_on(opened, "take other")
    desktop.wait_for(opened, lambda seen: not seen["unsaved"], "it has the other text")
    desktop.click(*desktop.point_at(opened, "shader text"))
    desktop.press("ctrl+z", "ctrl+s")
    desktop.wait_until(lambda: third_line() == f"{line} // ny", "and mine can be had back")


def save_typed(desktop: Desktop, window: Window, typed: str) -> None:
    """Type that where the caret is, save, and wait until the file was read again."""

    def reads() -> int:
        return sum("Reloaded down.frag" in line for line in window.seen()["log"])

    before = reads()
    desktop.write(typed)
    desktop.press("ctrl+s")
    desktop.wait_until(lambda: reads() > before, "it is taken up")


def test_layers_and_the_view_are_taken_away(desktop: Desktop, opened: Window, shader: Path, typed_folder: Path) -> None:
    desktop.click_on(opened, "panel Export")
    desktop.click_on(opened, "export folder")
    desktop.press("ctrl+a")
    desktop.write(str(typed_folder / "out"))
    for button in ("export all", "export view", "export report"):
        desktop.click_on(opened, button)
    names = {"000_down1.png", "000_down1.npy", "005_up3.png", "005_up3.npy", "down2_actual.png", "report.json"}
    desktop.wait_until(
        lambda: names <= {path.name for path in (typed_folder / "out").glob("*")}, "the files are there", window=opened
    )
    assert json.loads((typed_folder / "out" / "report.json").read_text(encoding="utf-8"))["verdict"] == "match"


def test_an_oracle_in_python_runs_only_after_a_yes_and_the_answer_is_kept(desktop: Desktop, tmp_path: Path) -> None:
    target = a_pipeline_with_an_oracle_in_python(tmp_path)
    window = desktop.start(target)
    desktop.click_on(window, "trust oracle")
    desktop.wait_for(window, lambda seen: seen["verdicts"] == {"twice": "match"}, "it is compared")
    window.close()
    window = desktop.start(target)
    try:
        desktop.wait_for(window, lambda seen: seen.get("verdicts") == {"twice": "match"}, "it is compared at once")
        assert "trust oracle" not in window.seen()["places"]
    finally:
        window.close()


def a_pipeline_with_an_oracle_in_python(folder: Path) -> Path:
    output = '{ shape = [1, 4, 8, 8], layout = "channel_tiles" }'
    (folder / "pipeline.toml").write_text(
        '[pipeline]\nname = "twice"\noracle = "oracle.py"\n'
        '[[input]]\nname = "image"\nshape = [1, 4, 8, 8]\nsource = "ramp"\nlayout = "channel_tiles"\n'
        f'[[pass]]\nname = "twice"\nshader = "twice.frag"\noutput = {output}\ntextures.u_image = "image"\n',
        encoding="utf-8",
    )
    (folder / "oracle.py").write_text("def twice(image):\n    return image * 2\n", encoding="utf-8")
    (folder / "twice.frag").write_text(
        "#version 330 core\nuniform sampler2D u_image;\nout float y;\n"
        "void main() { y = 2.0 * texelFetch(u_image, ivec2(gl_FragCoord.xy), 0).r; }\n",
        encoding="utf-8",
    )
    return folder / "pipeline.toml"
