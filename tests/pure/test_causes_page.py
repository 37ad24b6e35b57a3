"""docs/causes.md: every cause has its section, with its picture and the words of its row."""

from __future__ import annotations

import re

import pytest
from PIL import Image

from tests.checkout import ROOT
from texelscope.pipeline.diagnose.hypotheses.registry import all_causes

PAGE = ROOT / "docs" / "causes.md"
PICTURES = ROOT / "docs" / "pictures" / "causes"
PICTURE_BYTES, FOLDER_BYTES = 15_000, 700_000
AGAIN = "'make causes' writes the page anew"


def sections() -> dict[str, str]:
    """Returns the text of each cause's section."""
    parts = re.split(r"^### `(\w+)`$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_the_causes_are_those_of_the_rules() -> None:
    assert set(sections()) == set(all_causes()), AGAIN


@pytest.mark.parametrize("cause", all_causes())
def test_a_cause_has_a_picture_a_meaning_and_a_remedy(cause: str) -> None:
    text = sections()[cause]
    assert f"(pictures/causes/{cause}.png)" in text
    with Image.open(PICTURES / f"{cause}.png") as picture:
        assert picture.width > picture.height
    assert (PICTURES / f"{cause}.png").stat().st_size < PICTURE_BYTES
    assert all_causes()[cause].meaning in " ".join(text.split()), AGAIN
    assert "**Remedy:** " in text


def test_the_pictures_are_small_and_none_is_left_over() -> None:
    files = list(PICTURES.iterdir())
    assert {file.stem for file in files} == set(all_causes())
    assert sum(file.stat().st_size for file in files) < FOLDER_BYTES
