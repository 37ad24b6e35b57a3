"""The probe page in a real WebGL 2, and what its capture says at home."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from tests.browser.chromium import Chromium
from tests.checkout import ROOT
from tests.pure.models import array, model, node, value
from tests.pure.pipeline_file.folders import COPY, INPUT, PASS, write_folder
from tests.pure.probe.folders import of_three
from tests.work_clock import PATIENCE, counting_work
from texelscope.pipeline.captured import own_run
from texelscope.pipeline.commands.captured import captured_exit_code, diff_captured
from texelscope.pipeline.commands.diff import MATCH, MISMATCH, ComparisonExtras, diff
from texelscope.pipeline.compare.judge import Judge
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.diagnose.naming import REPAIR_SECONDS, DiagnosisRequest
from texelscope.pipeline.probe.page import NO_CAUSES, probe_page
from texelscope.pipeline.symbolic import pass_divergences
from texelscope.pipeline.target import OpenOptions, Target

NETWORKS = ROOT / "examples" / "webgl_cnn"
PASSES = ["down1", "down2", "down3", "up1", "up2", "up3"]
DONE = "document.body.dataset.state === 'done'"


@dataclass(frozen=True)
class Shown:
    """Holds what a page shows when it is done."""

    headline: str
    device: str
    rows: list[dict[str, str]]


def shown(
    chromium: Chromium,
    folder: Path,
    target: Target,
    asked: DiagnosisRequest = NO_CAUSES,
    change: Callable[[dict[str, Any]], None] | None = None,
) -> Shown:
    """Opens the probe page of a target and waits for it; `change` gets what the page holds of the run at home."""
    page = folder / "probe.html"
    text = probe_page(target, asked=asked)
    if change is not None:
        before, start, rest = text.partition('id="contents">')
        held, end, after = rest.partition("</script>")
        contents = json.loads(held)
        change(contents["home"])
        text = before + start + json.dumps(contents) + end + after
    page.write_text(text, encoding="utf-8")
    chromium.open(page, until=DONE)
    cells = (
        "[...document.querySelectorAll('#passes tr')].map((row) => [...row.children].map((cell) => cell.textContent))"
    )
    rows = [dict(zip(("sign", "pass", "operator", "shape", "verdict"), cells, strict=False))
            for cells in chromium.evaluate(cells)]  # fmt: skip
    headline, device = (
        chromium.evaluate(f"document.getElementById('{name}').textContent") for name in ("headline", "device")
    )
    return Shown(headline, device, rows)


def said_of(chromium: Chromium, position: int) -> list[str]:
    """Selects a pass; the paragraphs that the page has about it."""
    chromium.evaluate(f"select({position})")
    found = chromium.evaluate("[...document.querySelectorAll('#detail p')].map((each) => each.textContent)")
    return [str(each).replace("  ", " ") for each in found]


def at_home(chromium: Chromium, target: Target, *names: str) -> Report:
    """Downloads the capture of the open page, and judges it; passes of those names are diagnosed."""
    chromium.evaluate("document.getElementById('download').click()")
    capture = chromium.downloaded("capture.json")
    try:
        return diff_captured(target, capture, asked=DiagnosisRequest(names, seconds=0)).report
    finally:
        capture.unlink()


def causes(report: Report, name: str) -> dict[str, Any]:
    """Returns the causes found for a pass, with their parameters."""
    found = report.find(name)
    assert found is not None
    return {each.cause: dict(each.parameters) for each in found.findings}


def target_of(variant: str) -> Target:
    return Target(str(NETWORKS / f"{variant}.toml"))


def test_the_fixed_network_matches_in_the_browser_and_at_home(chromium: Chromium, tmp_path: Path) -> None:
    page = shown(chromium, tmp_path, target_of("fixed"), DiagnosisRequest())
    assert page.headline == "No pass is wrong."
    assert {said for i in range(6) for said in said_of(chromium, i) if "lie within their bound" not in said} == set()
    assert "SwiftShader" in page.device
    assert [each["pass"] for each in page.rows] == PASSES
    assert {each["verdict"] for each in page.rows} == {"match"}
    report = at_home(chromium, target_of("fixed"))
    assert captured_exit_code(report) == MATCH
    assert {each.verdict for each in report.passes} == {"match"}
    assert report.device.renderer == page.device
    assert report.device.version.startswith("WebGL 2.0")


def test_the_broken_networks_first_pass_is_named_and_at_home_every_cause(
    chromium: Chromium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As many formulas on any machine, another program beside it.
    for limit in ("SECONDS", "ELEMENT_SECONDS"):
        monkeypatch.setattr(pass_divergences, limit, PATIENCE * getattr(pass_divergences, limit))
    page = shown(chromium, tmp_path, target_of("broken"))
    assert page.headline == "First wrong pass: down1"
    report = at_home(chromium, target_of("broken"), *PASSES)
    assert captured_exit_code(report) == MISMATCH
    assert report.culprit == "down1"
    shift = causes(report, "down1")["shift"]
    assert (shift["dx"], shift["dy"]) == (1, 1)
    # The bias of another tile has two true names: the finding of a repair that is found in time is one of them.
    of_bias = {"bias_offset", "index_map"}
    assert {*causes(report, "down3")} <= of_bias
    assert [cause for name in PASSES for cause in causes(report, name) if cause not in of_bias] == [
        "shift", "kernel_transpose", "missing_taps", "activation_missing", "missing_channels"
    ]  # fmt: skip
    first = report.passes[0].findings[0]
    assert (first.shader, first.line) == ("down1.frag", 44)


def test_the_page_shows_the_causes_of_a_capture_judged_at_home_in_the_words_of_diff(
    chromium: Chromium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As long as diff looks for the repair that has the line, and as much work on any machine.
    monkeypatch.setattr(own_run, "PASSING_SECONDS", REPAIR_SECONDS)
    with counting_work():
        page = shown(chromium, tmp_path, target_of("broken"), DiagnosisRequest(("down1",)))
        report = diff(target_of("broken"), extras=ComparisonExtras(DiagnosisRequest(("down1",)))).report
    assert page.headline == "First wrong pass: down1: shift"
    found = report.passes[0].findings
    said = said_of(chromium, 0)
    home = f"Wrong in the same way as on {report.device.renderer}"
    assert said[1] == f"{home}: 7,761 of 7,761 wrong elements have the values made there of the same inputs."
    assert said[2:] == [
        text
        for each in found
        for text in (
            "shift dx = 1, dy = 1, tensor = image, map = h -> h + 1, w -> w + 1 explains 100.0% of the wrong elements",
            each.place,
            each.evidence,
            f"→ {each.remedy}",
        )
    ]
    assert len(found) == 1
    assert said_of(chromium, 1)[1].startswith(f"{home}: 4,492 of 4,492 wrong")
    assert said_of(chromium, 1)[2] == f"On {report.device.renderer}: Not diagnosed."


def test_other_values_than_at_home_have_none_of_its_causes(chromium: Chromium, tmp_path: Path) -> None:
    def change(home: dict[str, Any]) -> None:
        home["renderer"] = "Mesa"
        passes = home["passes"]
        passes["down1"][0]["values"] = {"down1": base64.b64encode(bytes(4 * 16384)).decode()}
        passes["down2"] = [{"highp": False, "wrong": False, "values": {}, "findings": [], "message": ""}]
        passes["down3"] = []

    page = shown(chromium, tmp_path, target_of("broken"), DiagnosisRequest(("down1",)), change)
    assert page.headline == "First wrong pass: down1"
    assert said_of(chromium, 0)[1:] == [
        "Wrong in another way than on Mesa: download the capture and judge it with --captured."
    ]
    assert said_of(chromium, 1)[1:] == ["Right on Mesa, wrong here."]
    assert said_of(chromium, 2)[1:] == ["It does not run on Mesa."]


def test_what_is_wrong_in_half_precision_at_home_is_right_here(chromium: Chromium, tmp_path: Path) -> None:
    """SwiftShader computes mediump in full precision, llvmpipe does not."""
    target = of_three(tmp_path)
    page = shown(chromium, tmp_path, target, DiagnosisRequest(("doubled",)))
    assert page.headline.startswith("First wrong pass: doubled: ")
    renderer = chromium.evaluate("contents.home.renderer")
    assert said_of(chromium, 0)[1:] == []
    assert said_of(chromium, 1)[1:] == [
        f"Wrong on {renderer}, right here. There it is right with every precision highp."
    ]
    said = said_of(chromium, 2)
    assert said[1].startswith(f"Wrong in the same way as on {renderer} with every precision highp: 192 of 192 wrong")
    assert "half_precision" not in " ".join(said)
    assert "explains" in said[2]


@pytest.mark.parametrize("share", [0.0, 0.003, 0.02, 1.0])
def test_values_are_those_of_home_where_the_judge_at_home_says_so(
    chromium: Chromium, tmp_path: Path, share: float
) -> None:
    shown(chromium, tmp_path, of_three(tmp_path))
    random = np.random.default_rng(3)
    want = random.normal(size=2000).astype(np.float32)
    bound = np.where(want > 0, 1e-6, 0.0).astype(np.float32)
    have = np.where(random.random(2000) < 0.5, want, want + random.normal(size=2000)).astype(np.float32)
    home = (have * (1.0 + 1e-7 * random.normal(size=2000))).astype(np.float32)
    home[random.random(2000) < share] += np.float32(0.1)
    have[:3], home[:3] = [np.nan, np.inf, 5.0], [np.nan, np.inf, -np.inf]
    score = Judge(have, want.astype(np.float64), bound.astype(np.float64)).reproduces(home)
    texts = (f"floats({json.dumps(base64.b64encode(each.tobytes()).decode())})" for each in (have, want, bound, home))
    found = chromium.evaluate(f"likeness({', '.join(texts)})")
    assert (found["same"], found["wrong"], found["isSame"]) == (score.explained, score.wrong, score.is_whole)
    assert score.is_whole == (share < 0.01)


def test_the_network_as_written_bleeds_and_its_precision_is_not_blamed(chromium: Chromium, tmp_path: Path) -> None:
    """SwiftShader reads lowp samplers in full precision, so that tiles that bleed are all there is to see."""
    page = shown(chromium, tmp_path, target_of("as_written"), DiagnosisRequest(("down1",)))
    assert page.headline == "First wrong pass: down1: tile_bleed"
    said = said_of(chromium, 0)
    assert "with every precision highp: 1,046 of 1,046 wrong elements have the values made there" in said[1]
    assert said[2] == "tile_bleed sides = every side explains 100.0% of the wrong elements"
    assert len(said) == 6
    report = at_home(chromium, target_of("as_written"), "down1")
    assert report.culprit == "down1"
    assert causes(report, "down1") == {"tile_bleed": {"sides": "every side"}}


def test_reads_between_texels_are_named_where_they_fall_as_here(chromium: Chromium, tmp_path: Path) -> None:
    """At 56x56 rounding decides which texel is read; what this driver shows counts, with every precision highp."""
    target = Target(str(NETWORKS / "as_written_56.toml"))
    shown(chromium, tmp_path, target)
    chromium.evaluate("document.getElementById('download').click()")
    file = chromium.downloaded("capture.json")
    capture = json.loads(file.read_text(encoding="utf-8"))
    file.unlink()
    capture["tensors"] = [each for each in capture["tensors"] if each["name"] in ("down3", "up1")]
    part = tmp_path / "capture.json"
    part.write_text(json.dumps(capture), encoding="utf-8")
    report = diff_captured(target, part, asked=DiagnosisRequest(("up1",))).report
    found = report.find("up1")
    assert found is not None
    assert found.message.startswith("Wrong here in the same way with every precision highp, on ")
    assert list(causes(report, "up1")) == ["texel_edge", "tile_bleed"]


def test_a_models_own_shaders_run_as_webgls(chromium: Chromium, tmp_path: Path) -> None:
    """Generated for desktop GL, with another head in the page; the capture says that they are the target's."""
    file = tmp_path / "model.onnx"
    nodes = [node("Conv", "x w", "a", "conv", pads=[1, 1, 1, 1]), node("Softmax", "a", "y", "soft", axis=1)]
    onnx.save(model(nodes, outputs=[value("y", (1, 5, 8, 8))], weights={"w": array(5, 3, 3, 3)}), file)
    target = Target(str(file), inputs={"": "random:5"})
    page = shown(chromium, tmp_path, target)
    assert page.headline == "No pass is wrong."
    report = at_home(chromium, Target(str(file)))
    assert {each.verdict for each in report.passes} == {"match"}


def test_a_shader_that_the_browser_refuses_is_shown_with_its_line_and_stops_what_follows(
    chromium: Chromium, tmp_path: Path
) -> None:
    file = write_folder(
        tmp_path,
        f'[pipeline]\noracle = "oracle.py"\n{INPUT}{PASS}{PASS.replace("copy", "next").replace("image", "copy")}',
        copy_frag="#version 300 es\nprecision highp float;\nuniform sampler2D t_X;\nout vec4 Y;\n\n"
        "void main() {\n    Y = texture(t_X, vec2(0.0)) + texel(1);\n}\n",
        next_frag=COPY, oracle_py="def copy(t_X):\n    return t_X\n\n\ndef next(t_X):\n    return t_X\n",
    )  # fmt: skip
    page = shown(chromium, tmp_path, Target(str(file), OpenOptions(trust=True)))
    assert page.headline == "First wrong pass: copy"
    assert [each["verdict"] for each in page.rows] == ["error", "not run"]
    assert "copy.frag:7: 'texel'" in chromium.evaluate("document.getElementById('detail').textContent")


def test_half_floats_are_not_held_against_a_pass(chromium: Chromium, tmp_path: Path) -> None:
    shown(chromium, tmp_path, target_of("fixed"))
    chromium.evaluate("document.getElementById('half').click()")
    chromium.wait(DONE)
    counts = chromium.evaluate("document.getElementById('counts').textContent")
    assert "mismatch" not in counts
    report = at_home(chromium, target_of("fixed"))
    assert {each.verdict for each in report.passes} <= {"match", "precision"}


def test_the_page_asks_nothing_of_any_network(chromium: Chromium, tmp_path: Path) -> None:
    shown(chromium, tmp_path, target_of("fixed"))
    assert chromium.evaluate("performance.getEntriesByType('resource').length") == 0
