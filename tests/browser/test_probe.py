"""The probe page in a real WebGL 2, and what its capture says at home."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.commands.captured import captured_exit_code, diff_captured
from pipeline.commands.diff import MATCH, MISMATCH
from pipeline.compare.report import Report
from pipeline.probe.page import probe_page
from pipeline.target import Target
from tests.browser.chromium import Chromium
from tests.checkout import ROOT

NETWORKS = ROOT / "examples" / "webgl_cnn"
PASSES = ["down1", "down2", "down3", "up1", "up2", "up3"]
DONE = "document.body.dataset.state === 'done'"


@dataclass(frozen=True)
class Shown:
    """What a page shows when it is done."""

    headline: str
    device: str
    rows: list[dict[str, str]]


def shown(chromium: Chromium, folder: Path, target: Target) -> Shown:
    """Opens the probe page of a target and waits for it."""
    page = folder / "probe.html"
    page.write_text(probe_page(target), encoding="utf-8")
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


def at_home(chromium: Chromium, target: Target) -> Report:
    """Downloads the capture of the open page, and judges it."""
    chromium.evaluate("document.getElementById('download').click()")
    capture = chromium.downloaded("capture.json")
    try:
        return diff_captured(target, capture).report
    finally:
        capture.unlink()


def causes(report: Report, name: str) -> dict[str, Any]:
    """The causes found for a pass, with their parameters."""
    found = report.find(name)
    assert found is not None
    return {each.cause: dict(each.parameters) for each in found.findings}


def target_of(variant: str) -> Target:
    return Target(str(NETWORKS / variant / "pipeline.toml"))


def test_the_fixed_network_matches_in_the_browser_and_at_home(chromium: Chromium, tmp_path: Path) -> None:
    page = shown(chromium, tmp_path, target_of("fixed"))
    assert page.headline == "No pass is wrong."
    assert "SwiftShader" in page.device
    assert [each["pass"] for each in page.rows] == PASSES
    assert {each["verdict"] for each in page.rows} == {"match"}
    report = at_home(chromium, target_of("fixed"))
    assert captured_exit_code(report) == MATCH
    assert {each.verdict for each in report.passes} == {"match"}
    assert report.device.renderer == page.device
    assert report.device.version.startswith("WebGL 2.0")


def test_the_broken_networks_first_pass_is_named_and_at_home_its_cause(chromium: Chromium, tmp_path: Path) -> None:
    page = shown(chromium, tmp_path, target_of("broken"))
    assert page.headline == "First wrong pass: down1"
    report = at_home(chromium, target_of("broken"))
    assert captured_exit_code(report) == MISMATCH
    assert report.culprit == "down1"
    assert causes(report, "down1") == {"shift": {"dx": 1, "dy": 1}}
    first = report.passes[0].findings[0]
    assert (first.shader, first.line) == ("down1.frag", 44)


def test_the_network_as_written_bleeds_and_its_precision_is_not_blamed(chromium: Chromium, tmp_path: Path) -> None:
    """SwiftShader reads lowp samplers in full precision, so that tiles that bleed are all there is to see."""
    page = shown(chromium, tmp_path, target_of("as_written"))
    assert page.headline == "First wrong pass: down1"
    report = at_home(chromium, target_of("as_written"))
    assert report.culprit == "down1"
    assert causes(report, "down1") == {"tile_bleed": {"sides": "every side"}}
