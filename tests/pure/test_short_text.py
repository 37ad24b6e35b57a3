"""Texts cut to a width."""

from __future__ import annotations

import pytest

from texelscope.pipeline.short_text import cut, short_operator


@pytest.mark.parametrize(
    ("width", "expected"),
    [(20, "block7/unit3/conv"), (17, "block7/unit3/conv"), (10, "block7/un…"), (1, "…"), (0, "…")],
)
def test_a_text_is_cut_at_its_end(width: float, expected: str) -> None:
    assert cut("block7/unit3/conv", width, len) == expected


@pytest.mark.parametrize(("width", "expected"), [(17, "block7/unit3/conv"), (11, "blo…t3/conv"), (3, "b…v"), (0, "…")])
def test_a_name_keeps_its_end(width: float, expected: str) -> None:
    assert cut("block7/unit3/conv", width, len, beginning=0.3) == expected


TEN = "Conv+BatchNormalization+Relu+Conv+BatchNormalization+Relu+Conv+BatchNormalization+Add+Relu"


@pytest.mark.parametrize(
    ("operator", "width", "expected"),
    [
        (TEN, 200, TEN),
        (TEN, 50, "Conv+BatchNormalization+Relu+…+Relu (10 nodes)"),
        (TEN, 42, "Conv+BatchNormalization+…+Relu (10 nodes)"),
        (TEN, 24, "Conv+…+Relu (10 nodes)"),
        (TEN, 18, "Conv+… (10 nodes)"),
        (TEN, 8, "Conv+Ba…"),
        ("BatchNormalization", 8, "BatchNo…"),
        ("BatchNormalization+Relu", 12, "BatchNormal…"),
    ],
)
def test_an_operator_of_many_nodes_says_its_ends_and_their_number(operator: str, width: int, expected: str) -> None:
    assert short_operator(operator, width) == expected
