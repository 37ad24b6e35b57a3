"""Values and texels tell the layout: *these values are x in layout L*."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from texelscope.layouts import Layout, LayoutError, layout, layouts_that_fit


def values_of(shape: tuple[int, ...]) -> NDArray[np.float32]:
    return np.random.default_rng(4).uniform(-1.0, 1.0, shape).astype(np.float32)


@pytest.mark.parametrize(
    ("entry", "shape"),
    [
        (layout("channel_tiles"), (1, 5, 3, 4)), (layout("channel_tiles", columns=1), (1, 5, 3, 4)),
        (layout("channel_tiles", columns=4), (1, 5, 3, 4)), (layout("channel_tiles_rgba", columns=1), (1, 9, 3, 4)),
        (layout("row_major_rgba", width=7), (2, 5, 3, 7)), (layout("tfjs_packed"), (1, 5, 3, 5)),
        (layout("filter_tiles"), (5, 8, 3, 3)), (layout("ncnn_pack4"), (1, 8, 3, 5)),
        (layout("ordered", order="n, y, x, c", width=20), (1, 5, 3, 4)),
        (layout("ordered_rgba", order="x, y, c, n"), (2, 3, 5, 4)),
        (layout("ordered_rgba", order="o/4, i, ky, kx, o%4", width=5), (6, 3, 3, 3)),
        (layout("ordered", order="ky, kx, o/4, i/4, i%4 o%4"), (5, 6, 3, 2)),
        (layout("ncnn_weights", pack=4, out_pack=8), (16, 8, 3, 3)),
        (layout("linear"), (300,)), (layout("ordered", order="x, y", width=9), (9, 11)),
    ],
    ids=str,
)  # fmt: skip
def test_a_tensor_is_found_in_the_layout_that_it_is_stored_in(entry: Layout, shape: tuple[int, ...]) -> None:
    texels = entry.encode(values_of(shape), padding=0.0)
    found = layouts_that_fit(values_of(shape), texels)
    assert len(found) >= 1
    for each in found:
        height, width = each.texture_shape(shape)
        part = texels[:height, :width, : each.lanes]
        np.testing.assert_array_equal(each.decode(part, shape), values_of(shape), str(each))
    address = entry.address(shape)
    alike = [
        np.array_equal(each.address(shape), address) for each in found if each.texture_shape(shape) == address.shape[:2]
    ]
    assert any(alike), "one of them is the layout itself, or stores the tensor alike"


def test_the_simplest_layout_comes_first_and_each_place_once() -> None:
    found = layouts_that_fit(values_of((1, 5, 3, 4)), layout("channel_tiles").encode(values_of((1, 5, 3, 4))))
    assert found == (layout("channel_tiles"),)


def test_orders_of_weights_have_the_names_of_weights() -> None:
    shape, entry = (6, 3, 3, 2), layout("ordered_rgba", order="o/4, i, ky, kx, o%4", width=9)
    (found,) = layouts_that_fit(values_of(shape), entry.encode(values_of(shape)), are_weights=True)
    assert found == entry


@pytest.mark.parametrize("stored", ["float16", "uint8"])
def test_rounded_texels_fit(stored: str) -> None:
    shape, entry = (1, 6, 4, 5), layout("channel_tiles_rgba")
    values = (values_of(shape) + 1.0) / 2.0
    texels = entry.encode(values)
    held = np.rint(texels * 255.0).astype(np.uint8) if stored == "uint8" else texels.astype(np.float16)
    assert layouts_that_fit(values, held)[0] == entry


def test_lanes_and_rows_that_the_layout_does_not_have_are_ignored() -> None:
    """As `readPixels` gives a texture of one lane: RGBA, and perhaps of a larger framebuffer."""
    shape, entry = (1, 5, 3, 4), layout("channel_tiles")
    texels = np.full((9, 12, 4), 7.0, np.float32)
    texels[:6, :, :1] = entry.encode(values_of(shape), padding=7.0)
    assert entry in layouts_that_fit(values_of(shape), texels)


def test_other_values_fit_no_layout() -> None:
    texels = layout("channel_tiles").encode(values_of((1, 5, 3, 4)))
    assert layouts_that_fit(values_of((1, 5, 3, 4)) * 1.1, texels) == ()
    wrong = texels.copy()
    wrong[3, 2, 0] += 0.1
    assert layouts_that_fit(values_of((1, 5, 3, 4)), wrong) == ()
    assert layouts_that_fit(values_of((1, 6, 3, 4)), texels) == ()


def test_a_tensor_that_is_the_same_everywhere_fits_many_of_which_some_are_returned() -> None:
    ones = np.ones((1, 4, 4, 4), np.float32)
    assert len(layouts_that_fit(ones, np.ones((8, 8, 1), np.float32), most=5)) == 5


def test_texels_of_another_form_are_refused() -> None:
    with pytest.raises(LayoutError, match=r"^texels: expected an array \[height, width, lanes\], got .* \[3, 4\]\."):
        layouts_that_fit(np.ones(3), np.ones((3, 4)))
