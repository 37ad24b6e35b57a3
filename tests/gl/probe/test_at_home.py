"""Tests a probe page's account of this driver: the ways in which passes are wrong on it, and why."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import numpy as np
import pytest

from tests.pure.probe.folders import of_three
from texelscope.pipeline.diagnose.naming import DiagnosisRequest
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.opening import all_inputs, planned_for_inputs
from texelscope.pipeline.probe import at_home
from texelscope.pipeline.probe.at_home import AtHome, expectation
from texelscope.pipeline.probe.page import probe_page
from texelscope.pipeline.target import Target

NONE = DiagnosisRequest(seconds=0.0)


def looked(target: Target, asked: DiagnosisRequest = NONE, most_bytes: int = 1 << 20) -> AtHome:
    plan = planned_for_inputs(target)
    inputs = all_inputs(plan, target)
    found = at_home.at_home(target, expectation(plan, inputs), inputs, asked, most_bytes)
    assert found is not None
    return found


def test_wrong_passes_have_their_values_on_the_inputs_that_they_should_have_had(tmp_path: Path) -> None:
    target = of_three(tmp_path)
    image = all_inputs(planned_for_inputs(target), target)["image"]
    home = looked(target)
    assert "llvmpipe" in home.renderer
    assert {name: [(way.in_full_precision, way.is_wrong) for way in ways] for name, ways in home.ways.items()} == {
        "copy": [(False, False)],
        "rounded": [(False, True), (True, False)],
        "doubled": [(False, True), (True, True)],
    }
    assert [dict(way.values) for way in home.ways["copy"]] == [{}]
    assert np.array_equal(home.ways["doubled"][1].values["doubled"], 2.0 * image)
    as_it_is = home.ways["doubled"][0].values["doubled"]
    assert 0.0 < np.abs(as_it_is - 2.0 * image).max() < 1e-2


def test_each_way_has_the_causes_of_its_own(tmp_path: Path) -> None:
    home = looked(of_three(tmp_path), DiagnosisRequest(("doubled",)))
    as_it_is, in_full = home.ways["doubled"]
    assert "half_precision" in {each.cause for each in as_it_is.findings}
    assert in_full.findings
    assert "half_precision" not in {each.cause for each in in_full.findings}
    assert [way.message for way in home.ways["rounded"]] == ["Not diagnosed.", ""]


def test_a_shader_that_this_driver_refuses_has_no_way(tmp_path: Path) -> None:
    target = of_three(tmp_path)
    shader = tmp_path / "doubled.frag"
    shader.write_text(shader.read_text(encoding="utf-8").replace("2.0 *", "twice *"), encoding="utf-8")
    home = looked(target)
    assert home.ways["doubled"] == ()
    assert home.ways["rounded"]


def test_values_beyond_the_limit_are_refused_before_anything_is_diagnosed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_home, "name_each", lambda *_: pytest.fail("diagnosed"))
    with pytest.raises(TexelscopeError) as caught:
        looked(of_three(tmp_path), most_bytes=100)
    assert str(caught.value) == (
        f"{tmp_path.name}: expected at most 0 MB for what wrong passes make here, got 1 MB. "
        "Leave that and the causes out with --diagnose-seconds 0, or allow more with --limit-mb."
    )


def test_where_nothing_runs_the_page_says_so_and_is_written_without_causes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refused(*_: object) -> None:
        raise TexelscopeError("OpenGL", "a 3.3 core context", "none", "Look for one.")

    monkeypatch.setattr(at_home, "open_session", refused)
    with caplog.at_level(logging.WARNING):
        page = probe_page(of_three(tmp_path))
    assert '"home":null' in page
    assert caplog.messages == [
        "The page will name no causes, as nothing runs here. "
        "OpenGL: expected a 3.3 core context, got none. Look for one."
    ]


def test_the_page_has_what_was_found(tmp_path: Path) -> None:
    page = probe_page(of_three(tmp_path), asked=DiagnosisRequest(("copy",)))
    text = page.partition('id="contents">')[2].partition("</script>")[0]
    home = json.loads(text)["home"]
    assert "llvmpipe" in home["renderer"]
    assert [(way["wrong"], way["message"]) for way in home["passes"]["doubled"]] == [(True, "Not diagnosed.")] * 2
    assert all(way["values"]["doubled"] for way in home["passes"]["doubled"])
