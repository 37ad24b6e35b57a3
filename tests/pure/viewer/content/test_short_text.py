"""Texts cut to a width."""

from __future__ import annotations

import pytest

from viewer.content.short_text import cut


@pytest.mark.parametrize(
    ("width", "expected"),
    [(20, "block7/unit3/conv"), (17, "block7/unit3/conv"), (10, "block7/un…"), (1, "…"), (0, "…")],
)
def test_a_text_is_cut_at_its_end(width: float, expected: str) -> None:
    assert cut("block7/unit3/conv", width, len) == expected


@pytest.mark.parametrize(("width", "expected"), [(17, "block7/unit3/conv"), (11, "blo…t3/conv"), (3, "b…v"), (0, "…")])
def test_a_name_keeps_its_end(width: float, expected: str) -> None:
    assert cut("block7/unit3/conv", width, len, beginning=0.3) == expected
