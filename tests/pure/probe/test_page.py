"""Tests a probe page's contents, and what is refused before one is written."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.checkout import ROOT
from tests.pure.captured.folders import X, plan, right
from tests.pure.models import model, node
from texelscope import pipeline
from texelscope.command_line import main
from texelscope.pipeline.compare.report import Finding
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.probe.at_home import AtHome, Expectation, HomeRun
from texelscope.pipeline.probe.contents import contents
from texelscope.pipeline.probe.page import NO_CAUSES, probe_page, write_probe
from texelscope.pipeline.target import Target

FIXED = ROOT / "examples" / "webgl_cnn" / "fixed.toml"
PLAN = plan()


def held(of: Plan = PLAN) -> dict[str, Any]:
    return dict(json.loads(contents(of, {"x": X})))


def numbers(text: str) -> NDArray[np.float32]:
    return np.frombuffer(base64.b64decode(text), dtype="<f4")


def test_inputs_and_constants_are_there_as_texels() -> None:
    textures = {each["key"]: each for each in held()["textures"]}
    assert {key: each["role"] for key, each in textures.items()} == {
        "x": "input", "w": "constant", "a": "activation", "y": "activation"
    }  # fmt: skip
    for key in ("x", "w"):
        stored = PLAN.textures[key]
        value = X if key == "x" else PLAN.constant("w")
        assert value is not None
        assert np.array_equal(numbers(textures[key]["data"]), stored.layout.encode(value).reshape(-1))
    assert "data" not in textures["a"]


def test_what_is_expected_has_bounds_that_hold_and_none_in_padding() -> None:
    expected, layout = held()["expected"], PLAN.textures["a"].layout
    assert np.array_equal(numbers(expected["a"]["value"]), layout.encode(right(PLAN)["a"]).reshape(-1))
    padding = layout.address((1, 5, 6, 5)).reshape(-1) < 0
    for name in ("bound", "chained"):
        bound = numbers(expected["a"][name])
        assert np.array_equal(bound < 0, padding)
        assert 0.0 < bound.max() < 1e-4


def test_what_was_made_here_is_there_with_its_causes_as_texels_and_in_words() -> None:
    made = 2.0 * right(PLAN)["a"]
    finding = Finding("shift", {"dx": 1, "dy": [0, 2]}, 1.0, 0.0, "a.frag", 4, "reads beside it.", "Take 1 off.")
    ways = {"conv": (HomeRun(False, True, {"a": made}, (finding,)), HomeRun(True, False)), "act": ()}
    left: list[int] = []

    def look(expected: Expectation, most_bytes: int) -> AtHome:
        left.append(most_bytes)
        assert np.array_equal(expected.capture.tensors["a"], right(PLAN)["a"])
        return AtHome("llvmpipe", ways)

    home = json.loads(contents(PLAN, {"x": X}, most_mb=3, look_at_home=look))["home"]
    assert 2 << 20 < left[0] < 3 << 20
    assert (home["renderer"], home["passes"]["act"]) == ("llvmpipe", [])
    as_it_is, in_full = home["passes"]["conv"]
    assert np.array_equal(numbers(as_it_is["values"]["a"]), PLAN.textures["a"].layout.encode(made).reshape(-1))
    assert as_it_is["findings"] == [{
        "cause": "shift", "parameters": "dx = 1, dy = [0, 2]", "explained": 1.0, "place": "a.frag:4",
        "evidence": "reads beside it.", "remedy": "Take 1 off.",
    }]  # fmt: skip
    assert in_full == {"highp": True, "wrong": False, "values": {}, "findings": [], "message": ""}
    assert held()["home"] is None


def test_names_cannot_end_the_script_that_holds_them() -> None:
    named = pipeline.plan_of(model([node("Relu", "x", "y", "</script><b>")]))
    text = contents(named, {"x": np.zeros((1, 3, 8, 8), np.float32)})
    assert "<" not in text
    assert json.loads(text)["passes"][0]["name"] == "</script><b>"


def test_the_page_needs_nothing_else() -> None:
    page = probe_page(Target(str(FIXED)), asked=NO_CAUSES)
    assert re.findall(r"""(?:src|href)\s*=\s*["'][^"']*""", page) == []
    assert re.findall(r"https?://|\bfetch\(|XMLHttpRequest|import\(|url\(", page) == []
    assert "default-src 'none'" in page


def test_a_page_that_would_be_too_large_is_refused_before_anything_is_computed() -> None:
    with pytest.raises(TexelscopeError) as caught:
        probe_page(Target(str(FIXED)), most_mb=1)
    assert str(caught.value) == (
        "webgl-cnn fixed: expected a page of at most 1 MB, got 2 MB. Take a smaller --shape, or more with --limit-mb, "
        "as far as the browser goes along."
    )


def test_a_model_with_a_node_that_cannot_run_is_refused() -> None:
    odd = pipeline.plan_of(model([node("Foo", "x", "y", "odd", domain="own")]))
    with pytest.raises(TexelscopeError, match=r"expected a target of which every pass can run, got Foo 'odd'\."):
        contents(odd, {"x": np.zeros((1, 3, 8, 8), np.float32)})


def test_a_page_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "probe.html").mkdir()
    with pytest.raises(TexelscopeError, match=r"probe\.html: expected a file that can be written, got .*directory.*\."):
        write_probe(tmp_path / "probe.html", "<html>")
    assert [each.name for each in tmp_path.iterdir()] == ["probe.html"]


def test_the_command_writes_the_page_and_says_what_next(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["probe", str(FIXED), "--diagnose-seconds", "0", "--to"]
    assert main([*options, str(tmp_path / "probe.html")]) == 0
    assert "judge its download with 'diff TARGET --captured FILE'" in capsys.readouterr().out
    page = (tmp_path / "probe.html").read_text(encoding="utf-8")
    assert main([*options, "-"]) == 0
    assert capsys.readouterr().out == page


def test_a_limit_below_nothing_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", str(FIXED), "--to", str(tmp_path / "probe.html"), "--limit-mb", "0"]) == 2
    assert "expected a page of at most 0 MB, got 2 MB." in capsys.readouterr().err
