"""The side view of the extension for VS Code: the report with the extension's script, as a webview shows it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.browser.chromium import Chromium
from tests.checkout import ROOT
from texelscope.pipeline.commands.diff import diff
from texelscope.pipeline.target import Target

FIXED = ROOT / "examples" / "webgl_cnn" / "fixed.toml"
WEBVIEW_PAGE = ROOT / "editors" / "vscode" / "webview_page.js"
# VS Code puts its own script in front of the page's policy, as here.
EDITOR = """<script>
window.posted = [];
window.kept = JSON.parse(sessionStorage.getItem("kept"));
window.acquireVsCodeApi = () => ({
  postMessage: (message) => window.posted.push(message),
  getState: () => window.kept ?? undefined,
  setState: (state) => { window.kept = state; sessionStorage.setItem("kept", JSON.stringify(state)); },
});
</script>"""
STATE = "document.body.dataset.state === 'alive'"
# Takes the report on its standard input, and what is shown first as an argument.
PRINTS = (
    "const {webviewPage} = require(process.argv[1]);"
    "process.stdout.write(webviewPage(require('fs').readFileSync(0, 'utf8'), JSON.parse(process.argv[2])))"
)


@pytest.fixture(scope="module")
def report() -> str:
    """The report of a network that matches: no pass is open."""
    page = diff(Target(str(FIXED)), with_page=True).page
    assert page is not None
    return page


def webview(report: str, folder: Path, **shown: Any) -> Path:
    """Writes what the webview shows, between what VS Code adds."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is missing. Run: make editors")
    made = subprocess.run(
        [node, "-e", PRINTS, WEBVIEW_PAGE, json.dumps({"of": str(folder), **shown})],
        input=report, capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    path = folder / "view.html"
    path.write_text(made.stdout.replace("<head>", f"<head>{EDITOR}", 1), encoding="utf-8")
    return path


def test_it_opens_at_the_pass_and_the_texel_and_posts_picks(chromium: Chromium, report: str, tmp_path: Path) -> None:
    chromium.listen()
    chromium.open(webview(report, tmp_path, **{"pass": "down2", "texel": [5, 6]}))
    chromium.wait("document.querySelector('#pass-1 .live').dataset.ready === '5,6'")
    assert chromium.evaluate(
        "Math.abs(document.querySelector('#pass-1').closest('details').getBoundingClientRect().top) < 50"
    )
    assert chromium.evaluate("window.posted") == []
    chromium.click("#pass-1 figure .texture")
    chromium.press("ArrowLeft")
    first, second = chromium.evaluate("window.posted")
    assert first.keys() == {"kind", "pass", "texel"}
    assert (first["kind"], first["pass"]) == ("pick", "down2")
    assert second["texel"] == [first["texel"][0] - 1, first["texel"][1]]
    assert chromium.complaints == []


def test_names_in_it_are_only_text(chromium: Chromium, report: str, tmp_path: Path) -> None:
    evil = "\"'></script><img src=x onerror=\"document.title='hit'\">&quot;"
    chromium.listen()
    chromium.open(webview(report, tmp_path, **{"pass": evil, "texel": None}))
    assert chromium.evaluate("document.querySelectorAll('img[src=x]').length") == 0
    chromium.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"document.title=1\">')")
    assert any("Content Security Policy" in each for each in chromium.complaints)


def test_it_follows_the_editors_theme(chromium: Chromium, report: str, tmp_path: Path) -> None:
    chromium.open(webview(report, tmp_path, **{"pass": None, "texel": None}))
    for kind, scheme in (("vscode-light", "light"), ("vscode-dark", "dark"), ("vscode-high-contrast-light", "light")):
        chromium.evaluate(f"document.body.dataset.vscodeThemeKind = '{kind}'")
        chromium.wait(f"document.documentElement.style.colorScheme === '{scheme}'")


def test_a_page_that_is_made_anew_stays_at_its_place(chromium: Chromium, report: str, tmp_path: Path) -> None:
    path = webview(report, tmp_path, **{"pass": "down2", "texel": [5, 6]})
    chromium.open(path)
    chromium.evaluate("sessionStorage.clear()")  # what other tests left
    chromium.open(path, until="document.querySelector('#pass-1 .live').dataset.ready === '5,6'")
    chromium.evaluate("document.querySelector('#pass-3').closest('details').open = true")
    chromium.wait("document.querySelector('#pass-3 .live').dataset.ready")
    chromium.evaluate("window.scrollTo(0, 300)")
    chromium.wait("window.kept?.top === 300 && window.kept.open.join() === '1,3'")
    chromium.open(path)
    for shown in ("#pass-1", "#pass-3"):
        chromium.wait(f"document.querySelector('{shown} .live').dataset.ready")
    chromium.evaluate("new Promise((done) => setTimeout(done, 200))")  # it might still move
    assert chromium.evaluate("window.scrollY") == 300


def test_a_page_of_another_target_begins_at_its_top(chromium: Chromium, report: str, tmp_path: Path) -> None:
    kept = {"of": "another.toml", "open": [3], "top": 300}
    path = webview(report, tmp_path, **{"pass": None, "texel": None})
    chromium.open(path)
    chromium.evaluate(f"sessionStorage.setItem('kept', JSON.stringify({json.dumps(kept)}))")
    chromium.open(path, until=f"{STATE} && window.kept.of === 'another.toml'")
    assert chromium.evaluate("[window.scrollY, document.querySelector('#pass-3').closest('details').open]") == [
        0,
        False,
    ]
