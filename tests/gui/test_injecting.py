"""A network with a node that no shader runs: it is shown as not run, and the oracle's value takes one past it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx

from tests.gui.conftest import Launch
from tests.gui.desktop import Desktop
from tests.small_models import large_determinants, mysterious

NOT_RUN = {"before": "match", "det": "not_run", "after": "not_run", "last": "not_run"}
RUN_ON = {"before": "match", "det": "not_run", "after": "match", "last": "match"}


def test_the_oracles_value_takes_one_past_what_cannot_run(desktop: Desktop, launch: Launch, tmp_path: Path) -> None:
    onnx.save(large_determinants(), tmp_path / "determinants.onnx")
    window = launch(tmp_path / "determinants.onnx")
    desktop.wait_for(window, lambda seen: shows(seen, NOT_RUN), "what cannot run is told")
    assert window.seen()["layers"] == ["x", "before", "det", "after", "last"]
    assert any("got 9." in line for line in window.seen()["log"])
    desktop.click_on(window, "layer det")
    desktop.wait_for(window, lambda seen: seen["selected"] == "det" and seen["settled"], "it is selected")
    desktop.click_on(window, "inject")
    desktop.wait_for(window, lambda seen: shows(seen, RUN_ON), "what follows has run")
    assert "inject" not in window.seen()["places"]
    desktop.press("F5")
    desktop.wait_for(window, lambda seen: shows(seen, RUN_ON) and seen["settled"], "it stays when all runs again")


def test_the_command_does_the_same_and_says_where_it_cannot(desktop: Desktop, launch: Launch, tmp_path: Path) -> None:
    onnx.save(large_determinants(), tmp_path / "determinants.onnx")
    window = launch(tmp_path / "determinants.onnx")
    desktop.wait_for(window, lambda seen: shows(seen, NOT_RUN), "what cannot run is told")
    desktop.click_on(window, "layer before")
    desktop.press("ctrl+i")
    refusal = "error: layer 'before': expected a layer that has not run and has an oracle value, got another layer."
    desktop.wait_for(window, lambda seen: any(line.startswith(refusal) for line in seen["log"]), "it is refused")
    desktop.click_on(window, "layer det")
    desktop.press("ctrl+i")
    desktop.wait_for(window, lambda seen: shows(seen, RUN_ON), "what follows has run")


def test_an_array_in_place_of_what_nobody_knows_brings_the_layers_after_it(
    desktop: Desktop, launch: Launch, typed_folder: Path
) -> None:
    onnx.save(mysterious(), typed_folder / "mystery.onnx")
    np.save(typed_folder / "value.npy", np.ones((1, 2, 4, 4), np.float32))
    window = launch(typed_folder / "mystery.onnx")
    behind = dict.fromkeys(("odd", "soft", "flat", "last"), "not_run")
    desktop.wait_for(window, lambda seen: shows(seen, {"before": "match", **behind}), "what cannot run is told")
    desktop.click_on(window, "layer odd")
    desktop.press("ctrl+i")
    said = "error: Could not inject 'a' in place of Mystery 'odd': the oracle: "
    desktop.wait_for(window, lambda seen: any(line.startswith(said) for line in seen["log"]), "nobody knows it")
    desktop.press("ctrl+o", "ctrl+a")
    desktop.write(str(typed_folder / "value.npy"))
    desktop.press("Return")
    ran = dict.fromkeys(("soft", "flat", "last"), "match")
    desktop.wait_for(window, lambda seen: shows(seen, {"before": "match", "odd": "not_run", **ran}), "the rest has run")
    log = window.seen()["log"]
    assert "info: Injected 'a' in place of Mystery 'odd': [1, 2, 4, 4] from value.npy." in log
    assert "info: Planned again for these values: 4 passes." in log


def shows(seen: dict[str, Any], verdicts: dict[str, str]) -> bool:
    return bool(seen) and seen["verdicts"] == verdicts and not seen["busy"]
