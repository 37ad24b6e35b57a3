"""Verdicts in the window while a slow comparison is under way: the selected layer's comes next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.gui.conftest import Launch
from tests.gui.desktop import Desktop
from tests.pure.pipeline_file.folders import COPY, INPUT, write_folder

PASSES = 8
WRONG, PASSED_OVER, ASKED = "p0", "p4", "p5"
# The oracle evaluates a pass five times: more than a second for each pass, in which a click is felt.
SECONDS_A_CALL = 0.3


def slow_folder(folder: Path) -> Path:
    """Writes copies of copies, `p0`, `p1` …, and an oracle that takes its time and finds one wrong."""
    passes, oracle, before = [], ["import time", ""], "image"
    for number in range(PASSES):
        name = f"p{number}"
        passes.append(
            f'[[pass]]\nname = "{name}"\nshader = "copy.frag"\ntextures.t_X = "{before}"\n'
            f'output = {{ shape = [1, 3, 8, 8], layout = "channel_tiles" }}\n'
        )
        result = "t_X + 1" if name == WRONG else "t_X"
        oracle.append(f"def {name}(t_X):\n    time.sleep({SECONDS_A_CALL})\n    return {result}\n")
        before = name
    toml = "\n".join(['[pipeline]\noracle = "oracle.py"', INPUT, *passes])
    return write_folder(folder, toml, copy_frag=COPY, oracle_py="\n".join(oracle))


def test_a_layer_that_is_selected_while_others_are_compared_is_judged_next(
    desktop: Desktop, launch: Launch, tmp_path: Path
) -> None:
    window = launch(slow_folder(tmp_path), "--trust")
    desktop.wait_for(window, lambda seen: bool(seen.get("early")), "the first verdict is shown", 60)
    first = window.seen()
    assert first["busy"] == "Comparing with the oracle"
    assert first["verdicts"] == {}, "not all passes are compared"
    assert f"match so far · wrong so far: {WRONG}" in desktop.title(window)
    desktop.click_on(window, f"layer {ASKED}")

    def is_judged(seen: dict[str, Any]) -> bool:
        return ASKED in seen["early"]

    desktop.wait_for(window, is_judged, "the selected layer's verdict is shown", 30)
    assert PASSED_OVER not in window.seen()["early"], "it did not have to wait for those before it"
    desktop.click_on(window, "verdict")
    desktop.wait_for(window, lambda seen: seen["selected"] == WRONG, "the verdict leads to what is wrong so far", 30)
    assert window.seen()["busy"] == "Comparing with the oracle"
    desktop.click_on(window, "cancel")
    desktop.wait_for(window, lambda seen: not seen["busy"], "the comparison is cancelled", 30)
    assert "cancelled: " in desktop.title(window)
    assert set(window.seen()["early"].values()) == {"match", "mismatch"}, "what was broken off is no verdict"
    assert window.seen()["early"][ASKED] == "match", "what was found stays"
