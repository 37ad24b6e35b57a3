"""Any shape as N, C, H, W."""

from __future__ import annotations

import numpy as np
import pytest

from texelscope.layouts import LayoutError, as_nchw


@pytest.mark.parametrize(
    ("shape", "dims"),
    [
        ((), (1, 1, 1, 1)),
        ((9,), (1, 1, 1, 9)),
        ((3, 5), (1, 1, 3, 5)),
        ((2, 3, 5), (1, 2, 3, 5)),
        ((7, 2, 3, 5), (7, 2, 3, 5)),
        ((4, 7, 2, 3, 5), (28, 2, 3, 5)),
        ((2, 4, 7, 2, 3, 5), (56, 2, 3, 5)),
    ],
)
def test_low_ranks_gain_leading_ones_and_high_ranks_fold_into_n(
    shape: tuple[int, ...], dims: tuple[int, int, int, int]
) -> None:
    assert as_nchw(shape) == dims
    assert as_nchw(dims) == dims


def test_lists_and_numpy_integers_are_shapes_too() -> None:
    assert as_nchw([np.int64(3), 4]) == (1, 1, 3, 4)
    assert all(type(length) is int for length in as_nchw([np.int64(3), 4]))


@pytest.mark.parametrize("shape", [(0,), (4, 0, 2), (2, 3, -1), (0, 1, 1, 1, 1)], ids=str)
def test_a_dimension_below_one_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(LayoutError, match=r"expected every dimension at least 1, got .* at axis \d"):
        as_nchw(shape)


def test_a_dimension_without_a_value_is_refused_by_name() -> None:
    with pytest.raises(
        LayoutError,
        match=r"^shape \('batch', 3\): expected whole numbers, got 'batch' at axis 0. Give every dynamic",
    ):
        as_nchw(("batch", 3))  # type: ignore[arg-type]


def test_an_error_keeps_its_four_parts() -> None:
    with pytest.raises(LayoutError) as caught:
        as_nchw((0, 2))
    error = caught.value
    assert (error.who, error.expected, error.got) == (
        "shape (0, 2)",
        "every dimension at least 1",
        "0 at axis 0",
    )
    assert error.do_next == "A texture cannot hold an empty tensor."
    assert str(error) == f"{error.who}: expected {error.expected}, got {error.got}. {error.do_next}"
