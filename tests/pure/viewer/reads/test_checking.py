"""A check of products runs beside the window, and only what it was begun for gets its result."""

from __future__ import annotations

import threading
import time

import pytest

from texelscope.pipeline.step_trace.partners import ProductCheck
from texelscope.viewer.reads.model.checking import ProductChecks
from texelscope.viewer.reads.model.tap_view import TapView, verdict_on_reads


def view(element: int) -> TapView:
    return TapView("conv", element, (element,), 1, reads=9, judged=True, is_checked=False)


def collected(checks: ProductChecks, shown: TapView | None) -> TapView | None:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if (found := checks.update(shown)) is not None:
            return found
        time.sleep(0.01)
    return None


def test_the_window_goes_on_while_products_are_checked() -> None:
    may_end, woken = threading.Event(), threading.Event()
    checks, shown = ProductChecks(woken.set), view(3)

    def check() -> ProductCheck:
        may_end.wait(30)
        return ProductCheck(9, 0)

    start = time.monotonic()
    checks.begin(shown, check)
    assert checks.update(shown) is None
    assert time.monotonic() - start < 5
    assert verdict_on_reads(shown) == (
        None,
        "every element that should be read is read; what is multiplied with what is being checked",
    )
    may_end.set()
    found = collected(checks, shown)
    assert found is not None
    assert verdict_on_reads(found) == (True, "all as expected, their products too")
    assert woken.wait(30)


def test_the_result_for_another_element_is_dropped() -> None:
    first, second = view(3), view(4)
    checks, may_end = ProductChecks(), threading.Event()

    def slow() -> ProductCheck:
        may_end.wait(30)
        return ProductCheck(9, 9, "wrong")

    checks.begin(first, slow)
    checks.begin(second, lambda: ProductCheck(9, 0))
    may_end.set()
    found = collected(checks, second)
    assert found is not None
    assert (found.element, found.partners) == (4, ProductCheck(9, 0))


def test_a_fault_of_a_check_is_told() -> None:
    checks, shown = ProductChecks(), view(3)

    def fails() -> ProductCheck:
        raise ValueError("a fault")

    checks.begin(shown, fails)
    with pytest.raises(ValueError, match="a fault"):
        collected(checks, shown)
