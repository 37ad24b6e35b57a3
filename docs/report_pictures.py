"""The picture of a report's page, for docs/reports.md and docs/guide.md, taken in headless Chromium."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from tests.browser.chromium import Chromium
from tests.checkout import ROOT
from tests.gui.desktop import Desktop
from texelscope.pipeline.commands.diff import ComparisonExtras, diff
from texelscope.pipeline.diagnose.naming import DiagnosisRequest
from texelscope.pipeline.target import Target

BROKEN = ROOT / "examples" / "webgl_cnn" / "broken.toml"
WIDTH, HEIGHT = 1480, 1400
_TOP = "document.querySelector('#pass-0 .live').scrollIntoView({block: 'start'})"


def pictures(_desktop: Desktop) -> Iterator[tuple[str, Image.Image]]:
    """The first wrong pass after a click on its finding: its texel, reads and execution."""
    outcome = diff(Target(str(BROKEN)), with_page=True, extras=ComparisonExtras(DiagnosisRequest(("down1",))))
    with tempfile.TemporaryDirectory() as name, Chromium(Path(name)) as browser:
        page, picture = Path(name) / "report.html", Path(name) / "picture.png"
        page.write_text(outcome.page or "", encoding="utf-8")
        browser.open(page, until="document.querySelector('#pass-0 .live')?.dataset.ready")
        browser.click("#pass-0 .to-finding")
        browser.wait("document.querySelector('#pass-0 .row.now.faulty')")
        browser.picture(picture, WIDTH, HEIGHT, before=_TOP)
        yield "report_page", Image.open(picture).convert("RGB")
