"""doctor lists what a driver allows, feature by feature, and advises what this system can do."""

from __future__ import annotations

import sys

import pytest

from texelscope.pipeline.commands.doctor import render
from texelscope.pipeline.commands.driver_features import Check, DriverFacts, features
from texelscope.pipeline.device import Limits, ShaderVersions, WorkGroups
from texelscope.pipeline.gl.back_ends import newer_driver
from texelscope.pipeline.gl.context import DriverProbe

FEATURES = (
    "fragment passes", "WebGL shaders", "recorded reads", "stepping", "compute passes", "fast forms",
    "float32 render targets", "GPU timers", "debug labels (RenderDoc)",
)  # fmt: skip
MACOS = Limits(version=410, shaders=ShaderVersions(410, 0))
NEWEST = Limits(version=460, shaders=ShaderVersions(460, 320), work_groups=WorkGroups())


def of(limits: Limits, *, probes: bool = True, labels: bool = True) -> dict[str, Check]:
    probe = DriverProbe(probes, "seen")
    return {check.name: check for check in features(DriverFacts(limits, probe, probe, labels))}


def test_a_new_driver_has_every_feature() -> None:
    found = of(NEWEST)
    assert tuple(found) == FEATURES
    assert all(check.well for check in found.values())
    assert found["WebGL shaders"].seen == "as they are, up to GLSL ES 3.20"
    assert found["stepping"].seen == "in storage buffers"


def test_a_driver_of_4_1_lacks_dispatches_alone_and_nothing_that_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    found = of(MACOS)
    assert found["WebGL shaders"].seen == "as desktop GLSL 3.30, without the rounding of lowp and mediump"
    assert found["recorded reads"].seen == "in colours: slower, the same reads"
    assert "compute passes" in {check.name for check in found.values() if not check.well}
    assert not [check.name for check in found.values() if check.needed and not check.well]
    assert found["compute passes"].do_next == (
        "They need OpenGL 4.3. macOS ends at OpenGL 4.1: take a machine with Linux or Windows for it."
    )


def test_a_driver_that_rounds_its_targets_fails() -> None:
    found = of(NEWEST, probes=False, labels=False)
    missing = {name: check.needed for name, check in found.items() if not check.well}
    assert missing == {"float32 render targets": True, "GPU timers": False, "debug labels (RenderDoc)": False}


@pytest.mark.parametrize(("system", "advice"), [("win32", "card's maker"), ("linux", "LIBGL_ALWAYS_SOFTWARE=1")])
def test_the_way_to_a_newer_driver_is_this_systems(monkeypatch: pytest.MonkeyPatch, system: str, advice: str) -> None:
    monkeypatch.setattr(sys, "platform", system)
    assert advice in newer_driver()


def test_what_is_missing_without_need_has_another_mark() -> None:
    shown = render((Check("a", True, "1"), Check("bc", False, "2", "Do."), Check("d", False, "3", "Or.", needed=False)))
    assert shown == "● a   1\n✗ bc  2\n      → Do.\n○ d   3\n      → Or."
