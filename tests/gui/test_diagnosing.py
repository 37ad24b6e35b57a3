"""A diagnosis that takes a while: it shows how far it is, it can be given up, and asked for again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.checkout import ROOT
from tests.gui.desktop import Desktop, Window
from texelscope.pipeline.export.eject import eject

FACADES = ROOT / "examples" / "facades" / "facades.onnx"
# An error that no cause explains: everything is tried, which takes seconds.
RIGHT = "    return sum;\n"
WRONG = "    return sum + 0.01 * fract(sin(float(at.w * 17 + at.z * 5 + at.y)) * 43758.5);\n"


@pytest.fixture(scope="module")
def broken(desktop: Desktop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    """A window on a network with a bug, as soon as it is being diagnosed."""
    folder = tmp_path_factory.mktemp("work") / "facades"
    eject(FACADES, folder)
    (shader,) = folder.glob("shaders/*up4.frag")
    text = shader.read_text(encoding="utf-8")
    assert text.count(RIGHT) == 1
    shader.write_text(text.replace(RIGHT, WRONG), encoding="utf-8")
    window = desktop.start(folder / "pipeline.toml")
    desktop.wait_for(window, lambda seen: seen.get("diagnosing") == "up4", "the bug is being looked for")
    yield window
    window.close()


def test_a_diagnosis_under_way_can_be_given_up_and_asked_for_again(desktop: Desktop, broken: Window) -> None:
    desktop.click_on(broken, "cancel")
    desktop.wait_for(broken, lambda seen: seen["diagnosing"] is None, "it is given up")
    assert broken.seen()["findings"] == []
    desktop.press("F4")
    desktop.wait_for(broken, lambda seen: seen["selected"] == "up4", "it is shown")
    desktop.click_on(broken, "panel Findings")
    desktop.wait_for(broken, lambda seen: "try again" in seen["places"], "the panel offers another try")
    desktop.click_on(broken, "try again")
    desktop.wait_for(broken, lambda seen: seen["diagnosing"] == "up4", "it is looked for again")
    desktop.press("Escape")
    desktop.wait_for(broken, lambda seen: seen["diagnosing"] is None, "that is given up by a key")
