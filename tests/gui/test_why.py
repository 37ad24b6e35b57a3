"""A person asks why a value is wrong: one key leads to the pass, the texel and the operand that made it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.gui.conftest import Launch
from tests.gui.desktop import Desktop

EXAMPLE = ROOT / "examples" / "webgl_cnn"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A copy of the example whose first pass alone forgets the guard at the border of a tile."""
    folder = Path(shutil.copytree(EXAMPLE, tmp_path / "cnn"))
    guard = "if (any(lessThan(at, vec2(0.0))) || any(greaterThan(at, vec2(1.0)))) continue;"
    text = (folder / "down.frag").read_text(encoding="utf-8")
    (folder / "wrong.frag").write_text(text.replace(guard, ""), encoding="utf-8")
    target = folder / "fixed.toml"
    told = target.read_text(encoding="utf-8")
    target.write_text(told.replace('shader = "down.frag"', 'shader = "wrong.frag"', 1), encoding="utf-8")
    return target


def test_an_inherited_error_leads_to_its_origin(desktop: Desktop, launch: Launch, broken: Path) -> None:
    window = launch(broken)
    desktop.wait_for(
        window, lambda seen: seen.get("verdicts", {}).get("down1") == "mismatch", "the first pass is wrong"
    )
    desktop.click_on(window, "layer up2")
    desktop.wait_for(window, lambda seen: seen["selected"] == "up2" and seen["settled"], "up2 is shown")
    desktop.press("q")  # nothing is picked: the worst value is meant
    desktop.wait_for(window, lambda seen: seen["why"] is not None and seen["why"]["operand"], "the operand is known")
    why = window.seen()["why"]
    assert [each["pass"] for each in why["steps"]] == ["up2", "up1", "down3", "down2", "down1"]
    assert [each["made here"] for each in why["steps"]] == [False] * 4 + [True]
    seen = window.seen()
    assert seen["selected"] == "down1"
    assert seen["stepping"]["of"] == ["down1", why["steps"][-1]["element"]]
    shown = {"why input", "why conclusion", "why step 4", "panel Sum"}
    desktop.wait_for(window, lambda seen: shown <= set(seen["places"]), "all of it is shown at once")
    desktop.wait_for(window, lambda seen: "behind" in seen["text"]["marked"].values(), "so are the lines behind it")
    desktop.click_on(window, "why step 1")
    desktop.wait_for(window, lambda seen: seen["selected"] == "up1", "a click goes to that texel")
    desktop.click_on(window, "why close")
    desktop.wait_for(window, lambda seen: seen["why"] is None, "it is forgotten")


def test_without_anything_to_explain_the_log_says_so(desktop: Desktop, launch: Launch, broken: Path) -> None:
    window = launch(broken)
    desktop.wait_for(window, lambda seen: seen.get("verdicts", {}).get("down1") == "mismatch", "it is compared")
    desktop.click_on(window, "layer image")
    desktop.press("q")
    desktop.wait_for(window, lambda seen: any("Nothing to explain" in line for line in seen["log"]), "it says why")
