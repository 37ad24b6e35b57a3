"""The page about a comparison: whole in itself, escaped, and with a picture for everything that is wrong."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

from tests.pure.models import array, model, node, value
from texelscope import pipeline
from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import Finding, Report
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.export import html_report
from texelscope.pipeline.export.live_page.contents import PageSubject

EVIL = '<script>alert("1")</script>&\'"'
SHAPE = (1, 5, 4, 4)
VOID = {"meta", "input", "img"}


class Page(HTMLParser):
    """Tags, attributes and text of a page; complains about tags that do not close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.scripts: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        (self.scripts if self.open[-1:] == ["script"] else self.words).append(data)

    @property
    def contents(self) -> Any:
        """The data of the page."""
        return json.loads(self.scripts[0])

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def page(
    *, wrong: bool = False, name: str = "second", layout: str = "channel_tiles", findings: tuple[Finding, ...] = ()
) -> tuple[Page, Report]:
    nodes = [node("Relu", "x", "a", "first"), node("Neg", "a", "y", name)]
    plan = pipeline.plan_of(model(nodes, [value("x", SHAPE)], [value("y", SHAPE)]), layout=layout)
    x = np.abs(array(*SHAPE))
    y = -x
    if wrong:
        y[0, 3, 2, 1] = 7.0
    capture = Capture(EVIL, DeviceInfo(EVIL, "4.5"), {"x": x, "a": x, "y": y}, {}, {"first": 0.5})
    comparer = Comparer(plan)
    report = comparer.compare(capture)
    if findings:
        passes = (report.passes[0], dataclasses.replace(report.passes[1], findings=findings))
        report = dataclasses.replace(report, passes=passes)
    return Page(html_report.render(PageSubject(report, plan, capture, comparer.isolated_values()))), report


def text_of(found: Page) -> str:
    return " ".join(" ".join(found.words).split())


def test_nothing_is_fetched_and_nothing_runs_but_the_pages_own_script() -> None:
    found, _ = page()
    policy = str(next(each["content"] for each in found.all("meta") if "default-src" in str(each.get("content"))))
    script = base64.b64encode(hashlib.sha256(found.scripts[1].encode()).digest()).decode()
    assert policy == f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{script}'"
    assert found.all("script") == [{"type": "application/json", "id": "contents"}, {}]
    assert found.all("img")
    assert found.all("a")
    assert all(str(each["src"]).startswith("data:image/png;base64,") for each in found.all("img"))
    assert all(str(each["href"]).startswith("#pass-") for each in found.all("a"))


def test_names_of_other_people_are_text() -> None:
    finding = Finding(EVIL, {EVIL: EVIL}, 0.5, 0.0, EVIL, 3, EVIL, EVIL)
    found, _ = page(wrong=True, name=EVIL, findings=(finding,))
    assert len(found.all("script")) == 2
    assert "<" not in found.scripts[0]
    assert found.contents["passes"][1]["name"] == EVIL
    assert text_of(found).count("<script>alert") >= 10
    assert not [name for _, attributes in found.tags for name in attributes if name.startswith("on")]


def test_every_link_leads_to_a_pass_and_every_pass_has_a_row() -> None:
    found, report = page()
    targets = {each["id"] for each in found.all("div") if "id" in each}
    assert {str(each["href"])[1:] for each in found.all("a")} == targets
    assert len(found.all("tr")) == 1 + len(report.passes) + 3 * len(report.passes)  # rows, and figures of each pass


def test_a_wrong_pass_is_open_with_its_pictures_its_worst_element_and_its_findings() -> None:
    finding = Finding("tile_bleed", {"dx": -1}, 0.998, 3e-7, "down.frag", 23, "It reads left.", "Clamp it.")
    found, report = page(wrong=True, findings=(finding,))
    assert [("open" in each) for each in found.all("details")] == [False, True]
    words = text_of(found)
    assert "First wrong pass: second : tile bleed" in words
    assert "tile bleed (dx -1) explains 99.8% of the wrong elements down.frag:23 Show texel, " in words
    assert "It reads left. → Clamp it." in words
    assert "element [0, 3, 2, 1] , texel (1, 6) lane 0: 7 in place of -" in words
    assert report.culprit == "second"
    wrong = found.contents["passes"][1]
    assert (wrong["isWrong"], wrong["worst"]) == (True, [1, 6, 0])


def test_when_all_match_it_says_so() -> None:
    found, _ = page()
    assert "No pass is wrong. 2 passes: ● 2 match" in text_of(found)
    assert [each["worst"] for each in found.contents["passes"]] == [None, None]


@pytest.mark.parametrize(("layout", "tiles"), [("channel_tiles", 5), ("channel_tiles_rgba", 2)])
def test_every_texture_has_the_tiles_of_its_layout(layout: str, tiles: int) -> None:
    found, _ = page(layout=layout)
    assert [len(each["tiles"]) for each in found.contents["textures"]] == 3 * [tiles]


def test_a_finding_has_a_button_to_its_pass_and_line() -> None:
    finding = Finding("tile_bleed", {"dx": -1}, 0.998, 3e-7, "down.frag", 23, "It reads left.", "Clamp it.")
    found, _ = page(wrong=True, findings=(finding,))
    (button,) = found.all("button")
    assert (button["data-pass"], button["data-line"]) == ("1", "23")
    assert "hidden" in button  # until the script shows it


def test_every_variable_of_the_templates_is_filled() -> None:
    found, _ = page(wrong=True)
    assert not re.search(r"\$\w", text_of(found))
