"""The present run held against one that was kept: before an edit, pinned under a name, or of another target."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.checkout import ROOT
from tests.gui.conftest import Launch
from tests.gui.desktop import Desktop, Window, all_match

EXAMPLE = ROOT / "examples" / "webgl_cnn"
GUARD = "if (any(lessThan(at, vec2(0.0))) || any(greaterThan(at, vec2(1.0)))) continue;"


def test_another_target_before_and_after_an_edit_and_a_pinned_result(
    desktop: Desktop, launch: Launch, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(EXAMPLE, tmp_path / "cnn"))
    shader = folder / "down.frag"
    good = shader.read_text(encoding="utf-8")
    window = launch(folder / "fixed.toml", "--against", EXAMPLE / "broken.toml")
    desktop.wait_for(window, lambda seen: "better" in seen.get("changes", {}).get("down1", ""), "two targets")
    assert window.seen()["against"] == "target webgl_cnn/broken.toml"
    assert all_match(window.seen())  # verdicts stay the oracle's
    desktop.press("shift+o")
    desktop.wait_for(window, lambda seen: seen["against"] is None, "the oracle is back")
    desktop.press("b")
    desktop.wait_for(
        window, lambda seen: "expected an edit, got none yet" in "".join(seen["log"]), "there is no edit yet"
    )
    desktop.click_on(window, "dismiss notice")  # it lies over the panel

    shader.write_text(good.replace(GUARD, ""), encoding="utf-8")
    desktop.wait_for(window, lambda seen: len(seen["kept"]) == 2, "the state before the edit is kept")
    desktop.press("F4")
    desktop.wait_for(window, lambda seen: bool(seen["findings"]), "its bug is named")
    desktop.press("b")
    desktop.wait_for(window, lambda seen: "worse" in seen["changes"].get("down1", ""), "the first layer is worse")
    seen = window.seen()
    assert seen["against"].startswith("before the edit of down.frag")
    assert seen["mode"] == "difference"
    desktop.click_on(window, "panel Runs")
    desktop.point_at(window, "new tile_bleed")
    actual, before = picked_twice(desktop, window)
    assert actual != before

    desktop.press("p")
    desktop.point_at(window, "pin name")
    desktop.press("ctrl+a")
    desktop.write("bad")
    desktop.press("Return")
    desktop.wait_for(window, lambda seen: "bad" in seen["kept"], "it is pinned")
    shader.write_text(good, encoding="utf-8")
    desktop.wait_for(window, lambda seen: all_match(seen) and len(seen["kept"]) == 4, "every pass matches again")
    desktop.click_on(window, "against")
    desktop.click_on(window, "against bad")
    desktop.wait_for(window, lambda seen: "better" in seen["changes"].get("up3", ""), "the last layer is better")
    desktop.point_at(window, "gone tile_bleed")
    desktop.click_on(window, "show target webgl_cnn/broken.toml")
    desktop.wait_for(window, lambda seen: "same" not in seen["changes"].values() and seen["shown"], "two kept ones")
    other, bad = picked_twice(desktop, window)
    assert bad != other  # neither of them runs now
    desktop.click_on(window, "runs back")
    desktop.wait_for(window, lambda seen: seen["shown"] is None and seen["against"] is None, "it is as it runs")
    desktop.click_on(window, "drop bad")
    desktop.wait_for(window, lambda seen: "bad" not in seen["kept"] and seen["against"] is None, "it is gone")
    desktop.press("b")
    desktop.wait_for(window, lambda seen: seen["against"] is not None, "the edit before is there")
    desktop.click_on(window, "back to oracle")
    desktop.wait_for(window, lambda seen: seen["against"] is None, "the oracle is back")


def picked_twice(desktop: Desktop, window: Window) -> tuple[float, float]:
    """The worst element of the selected layer: as it is, and as it was."""
    desktop.press("w")
    desktop.wait_for(window, lambda seen: seen["pick"] is not None and seen["settled"], "the worst is picked")
    lane = window.seen()["readout"]["lanes"][0]
    return lane["actual"], lane["oracle"]
