"""The page about a comparison: whole in itself, escaped, and with a picture for everything that is wrong."""

from __future__ import annotations

import base64
import dataclasses
import io
import re
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.pure.models import array, model, node, value
from texelscope import pipeline
from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import Finding, Report
from texelscope.pipeline.device import Device
from texelscope.pipeline.export import html_report
from texelscope.pipeline.export.html_pictures import MOST_TEXELS, shown, shown_difference

EVIL = '<script>alert("1")</script>&\'"'
SHAPE = (1, 5, 4, 4)
VOID = {"meta", "input", "img", "rect", "circle"}


class Page(HTMLParser):
    """Tags, attributes and text of a page; complains about tags that do not close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
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
        self.words.append(data)

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
    capture = Capture(EVIL, Device(EVIL, "4.5"), {"x": x, "a": x, "y": y}, {}, {"first": 0.5})
    comparer = Comparer(plan)
    report = comparer.compare(capture)
    if findings:
        passes = (report.passes[0], dataclasses.replace(report.passes[1], findings=findings))
        report = dataclasses.replace(report, passes=passes)
    return Page(html_report.render(report, plan, capture, comparer.isolated_values())), report


def text_of(found: Page) -> str:
    return " ".join(" ".join(found.words).split())


def pixels(uri: str | None) -> NDArray[Any]:
    assert uri is not None
    kind, data = uri.split(",", 1)
    assert kind == "data:image/png;base64"
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(data))))


def test_nothing_is_fetched_and_nothing_runs() -> None:
    found, _ = page()
    policy = next(
        each["content"] for each in found.all("meta") if "content" in each and "default-src" in str(each["content"])
    )
    assert policy == "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
    assert found.all("script") == []
    assert found.all("img")
    assert found.all("a")
    assert all(str(each["src"]).startswith("data:image/png;base64,") for each in found.all("img"))
    assert all(str(each["href"]).startswith("#pass-") for each in found.all("a"))


def test_names_of_other_people_are_text() -> None:
    finding = Finding(EVIL, {EVIL: EVIL}, 0.5, 0.0, EVIL, 3, EVIL, EVIL)
    found, _ = page(wrong=True, name=EVIL, findings=(finding,))
    assert found.all("script") == []
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
    assert "tile bleed (dx -1) explains 99.8% of the wrong elements down.frag:23 It reads left. → Clamp it." in words
    assert "element [0, 3, 2, 1] , texel (1, 6) lane 0: 7 in place of -" in words
    assert len(found.all("circle")) == 2 * 3
    assert report.culprit == "second"


def test_when_all_match_it_says_so_and_shows_that_only_rounding_is_left() -> None:
    found, _ = page()
    assert "No pass is wrong. 2 passes: ● 2 match" in text_of(found)
    assert "Difference (within rounding)" in text_of(found)
    assert found.all("circle") == []


@pytest.mark.parametrize(("layout", "tiles"), [("channel_tiles", 5), ("channel_tiles_rgba", 2)])
def test_the_tile_grid_lies_over_every_picture(layout: str, tiles: int) -> None:
    found, _ = page(layout=layout)
    pictures = [each for each in found.all("img") if each.get("class") != "thumbnail"]
    assert len(pictures) == 6
    assert len(found.all("rect")) == 6 * tiles


def test_actual_and_oracle_share_one_range() -> None:
    found, _ = page(wrong=True)
    actual, oracle, difference = [pixels(each["src"]) for each in found.all("img") if each.get("class") != "thumbnail"][
        3:
    ]
    same = (actual == oracle).all(axis=2)
    assert np.argwhere(~same).tolist() == [[6, 1]]
    assert (difference[~same] != difference[0, 0]).any()


def test_pictures_of_passes_that_match_are_left_out_where_the_page_would_grow_too_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(html_report, "MOST_PICTURE_BYTES", 1)
    found, _ = page(wrong=True)
    pictures = [each for each in found.all("img") if each.get("class") != "thumbnail"]
    assert len(pictures) == 3  # those of the wrong pass
    assert "Pictures of passes that match are left out here" in text_of(found)


def test_a_large_texture_is_thinned_out_but_no_wrong_texel_is_lost() -> None:
    texels = np.zeros((2 * MOST_TEXELS + 1, 100, 1), np.float32)
    texels[777, 33] = -5.0
    made = shown_difference(texels)
    assert max(pixels(made.uri).shape) <= MOST_TEXELS
    assert (pixels(made.uri) != pixels(made.uri)[0, 0]).any(axis=2).sum() == 1
    assert (made.low, made.high) == (-5.0, 5.0)
    assert max(pixels(shown(texels, (0.0, 1.0)).uri).shape) <= MOST_TEXELS


def test_a_difference_of_nan_is_seen_among_larger_ones() -> None:
    texels = np.full((4, 4, 4), 3.0, np.float32)
    texels[1, 2, 3] = np.nan
    assert pixels(shown_difference(texels).uri)[1, 2].tolist() == [255, 0, 0]


def test_every_variable_of_the_templates_is_filled() -> None:
    found, _ = page(wrong=True)
    assert not re.search(r"\$\w", text_of(found))
