"""Tests the contribution of each read to the sum of a fragment."""

from __future__ import annotations

from texelscope.pipeline.step_trace.sums import FragmentSum, SumTerm
from texelscope.pipeline.step_trace.trace import TexelRead
from texelscope.viewer.reads.model.tap_filter import of_fragment


def read(key: str, texel: tuple[int, int], value: float) -> TexelRead:
    return TexelRead(key, key, texel, (0.0, 0.0), (0,), (texel[0],), (value, 0.0, 0.0, 1.0))


def term(value: float | None, weight: float | None, product: float, *reads: TexelRead) -> SumTerm:
    return SumTerm(0, reads, value, weight, product, product, 0.0, 0.0, 0.0, wrong=False)


def test_products_are_shared_out_and_the_largest_stands_first() -> None:
    small = term(0.5, 2.0, 1.0, read("x", (1, 0), 0.5), read("w", (7, 0), 2.0))
    large = term(-3.0, 1.0, -3.0, read("w", (8, 0), 1.0), read("x", (2, 0), -3.0))
    found = of_fragment(FragmentSum((term(None, None, 9.0), small, large), None, ""))
    assert [(each.texel, each.product, each.share) for each in found] == [((2, 0), -3.0, 0.75), ((1, 0), 1.0, 0.25)]
    assert found[0].text == "-3 × 1 = -3, 75 % of the sum"
    assert found[0].is_at("w", (8, 0)), "the weight's texel is told of too"
    assert not found[0].is_at("w", (7, 0))


def test_a_product_that_is_no_number_does_not_take_all_shares() -> None:
    broken = term(float("nan"), 1.0, float("nan"), read("x", (3, 0), float("nan")))
    found = of_fragment(FragmentSum((broken, term(1.0, 1.0, 1.0, read("x", (1, 0), 1.0))), None, ""))
    assert [each.texel for each in found] == [(3, 0), (1, 0)], "it stands first"
    assert found[1].share == 1.0
