"""Operators of windows, samples, signals and sequences."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from tests.conformance.recipes.recipe import PICTURE, Recipe, Recipes, always, node, numbers, one, whole


def _conv(version: int) -> list[Recipe]:
    return [
        node(PICTURE, numbers(6, 4, 3, 3, seed=1)),
        node(PICTURE, numbers(6, 2, 3, 2, seed=1), numbers(6), group=2, strides=[2, 1], dilations=[1, 2],
             pads=[0, 1, 2, 1], kernel_shape=[3, 2]),
        node(PICTURE, numbers(6, 4, 3, 3, seed=1), auto_pad="SAME_UPPER", strides=[2, 2]),
    ]  # fmt: skip


def _conv_transpose(version: int) -> list[Recipe]:
    return [
        node(PICTURE, numbers(4, 3, 3, 3, seed=1)),
        node(PICTURE, numbers(4, 1, 3, 2, seed=1), numbers(2), group=2, strides=[2, 2], pads=[1, 0, 1, 1],
             output_padding=[1, 0]),
        node(PICTURE, numbers(4, 3, 3, 3, seed=1), auto_pad="SAME_LOWER", strides=[2, 2]),
    ]  # fmt: skip


def _grid_sample(version: int) -> list[Recipe]:
    grid = numbers(1, 3, 2, 2, seed=1, low=-1.1, high=1.1)
    linear, cubic = ("bilinear", "bicubic") if version < 20 else ("linear", "cubic")
    modes = [node(PICTURE, grid, mode=mode) for mode in (linear, cubic, "nearest")]
    return [*modes, node(PICTURE, grid, mode=linear, padding_mode="border", align_corners=1)]


def _recurrent(gates: int, outputs: int) -> Recipes:
    def recipes(version: int) -> list[Recipe]:
        steps, batch, size, hidden = 3, 2, 4, 5
        x = numbers(steps, batch, size, low=-1.0, high=1.0)
        w, r = numbers(1, gates * hidden, size, seed=1), numbers(1, gates * hidden, hidden, seed=2)
        b = numbers(1, 2 * gates * hidden, seed=3)
        more: dict[str, Any] = {"output_sequence": 1} if version < 7 and gates < 4 else {}
        found = [
            node(x, w, r, outputs=outputs, hidden_size=hidden, **more),
            node(x, *(np.concatenate([each, -each]) for each in (w, r, b)), whole(3, 3, dtype=np.int32),
                 outputs=outputs, hidden_size=hidden, direction="bidirectional", **more),
        ]  # fmt: skip
        if version >= 14:
            swapped = x.transpose(1, 0, 2).copy()
            found.append(node(swapped, w, r, b, outputs=outputs, hidden_size=hidden, layout=1))
        return [dataclasses.replace(each, known=tuple(range(1, len(each.inputs)))) for each in found]

    return recipes


def _pool(version: int) -> list[Recipe]:
    found = [
        node(PICTURE, kernel_shape=[3, 2]),
        node(PICTURE, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 0, 1, 2]),
        node(PICTURE, kernel_shape=[3, 3], strides=[2, 2], auto_pad="SAME_LOWER"),
    ]
    return found if version < 10 else [*found, node(PICTURE, kernel_shape=[3, 2], strides=[2, 2], ceil_mode=1)]


def _average_pool(version: int) -> list[Recipe]:
    found = _pool(version)
    return found if version < 7 else [*found, node(PICTURE, kernel_shape=[3, 3], pads=[1] * 4, count_include_pad=1)]


def _max_pool(version: int) -> list[Recipe]:
    found = _pool(version)
    return found if version < 8 else [*found, node(PICTURE, kernel_shape=[2, 2], strides=[2, 2], outputs=2)]


def _lp_pool(version: int) -> list[Recipe]:
    return [node(PICTURE, kernel_shape=[3, 2], p=p) for p in ((2.0, 3.0) if version < 2 else (2, 3))]


def _global_lp_pool(version: int) -> list[Recipe]:
    return [node(PICTURE), node(PICTURE, p=3.0 if version < 2 else 3)]


def _quantized_convolution(version: int) -> list[Recipe]:
    x, w = numbers(1, 2, 5, 5, dtype=np.uint8), numbers(3, 2, 3, 3, seed=1, dtype=np.uint8)
    scale, zero = one(0.5), one(4, np.uint8)
    bias = numbers(3, dtype=np.int32)
    return [node(x, scale, zero, w, scale, zero, scale * 8, zero, bias, known=tuple(range(1, 9)), pads=[1] * 4)]


def _resize(version: int) -> list[Recipe]:
    scales = np.array([1.0, 1.0, 2.0, 1.5], np.float32)
    if version < 11:
        return [node(PICTURE, scales, mode=mode, known=(1,)) for mode in ("nearest", "linear")]
    empty = np.zeros(0, np.float32)
    roi, known = (empty, (1, 2)) if version < 13 else (None, (2,))
    found = [node(PICTURE, roi, scales, mode=mode, known=known) for mode in ("nearest", "linear", "cubic")]
    for mode in ("align_corners", "asymmetric", "pytorch_half_pixel"):
        found.append(node(PICTURE, roi, scales, mode="linear", coordinate_transformation_mode=mode, known=known))
    region = np.array([0.0, 0.0, 0.1, 0.2, 1.0, 1.0, 0.9, 0.8], np.float32)
    found.append(node(PICTURE, region, scales, mode="linear", coordinate_transformation_mode="tf_crop_and_resize",
                      extrapolation_value=3.0, known=(1, 2)))  # fmt: skip
    if version < 13:
        down = np.array([1.0, 1.0, 0.5, 0.6], np.float32)
        found.append(node(PICTURE, roi, down, mode="nearest", coordinate_transformation_mode="tf_half_pixel_for_nn",
                          known=known))  # fmt: skip
        found.append(node(PICTURE, roi, empty, whole(1, 4, 9, 3), known=(1, 2, 3)))
    else:
        found.append(node(PICTURE, None, None, whole(1, 4, 9, 3)))
    if version >= 18:
        found.append(node(PICTURE, None, None, whole(9, 3), axes=[2, 3], keep_aspect_ratio_policy="not_larger"))
        found.append(node(PICTURE, None, scales[2:] / 4, axes=[2, 3], mode="linear", antialias=1, known=(2,)))
    return found


def _roi_align(version: int) -> list[Recipe]:
    rois, batch = np.array([[0, 0, 4, 4], [1, 1.5, 5, 3]], np.float32), whole(0, 0)
    found = [node(PICTURE, rois, batch, output_height=2, output_width=3, mode=mode) for mode in ("avg", "max")]
    if version < 16:
        return found
    return [*found, node(PICTURE, rois, batch, coordinate_transformation_mode="output_half_pixel", sampling_ratio=2)]


def _upsample(version: int) -> list[Recipe]:
    modes = ("nearest", "bilinear") if version < 7 else ("nearest", "linear")
    if version < 7:
        return [node(PICTURE, height_scale=2.0, width_scale=1.5, mode=mode) for mode in modes]
    scales = [1.0, 1.0, 2.0, 1.5]
    if version < 9:
        return [node(PICTURE, scales=scales, mode=mode) for mode in modes]
    return [node(PICTURE, np.array(scales, np.float32), mode=mode, known=(1,)) for mode in modes]


def _window(version: int) -> list[Recipe]:
    return [node(one(8, np.int64), known=(0,)), node(one(8, np.int64), known=(0,), periodic=0)]


def _dft(version: int) -> list[Recipe]:
    signal = numbers(1, 6, 1)
    if version < 20:
        return [node(signal), node(signal, one(4, np.int64), axis=1, onesided=1), node(numbers(1, 6, 2), inverse=1)]
    return [
        node(signal),
        node(signal, one(4, np.int64), one(1, np.int64), onesided=1),
        node(numbers(1, 6, 2), inverse=1),
    ]


RECIPES: Mapping[str, Recipes] = {
    "AffineGrid": always(node(numbers(2, 2, 3), whole(2, 3, 4, 5)), node(numbers(1, 3, 4), whole(1, 2, 3, 4, 5))),
    "AveragePool": _average_pool,
    "BlackmanWindow": _window,
    "Col2Im": always(
        node(numbers(1, 8, 9), whole(4, 4), whole(2, 2)),
        node(numbers(1, 8, 16), whole(5, 5), whole(2, 2), pads=[0, 0, 1, 0], dilations=[2, 1]),
    ),
    "Conv": _conv,
    "ConvInteger": always(
        node(numbers(1, 2, 5, 5, dtype=np.uint8), numbers(3, 2, 3, 3, dtype=np.uint8), one(2, np.uint8))
    ),
    "ConvTranspose": _conv_transpose,
    "DFT": _dft,
    "DeformConv": always(node(PICTURE, numbers(3, 4, 2, 2), numbers(1, 8, 5, 5, low=-1.0, high=1.0), numbers(3))),
    "GRU": _recurrent(3, 2),
    "GlobalLpPool": _global_lp_pool,
    "GridSample": _grid_sample,
    "HammingWindow": _window,
    "HannWindow": _window,
    "LRN": always(node(PICTURE, size=3), node(PICTURE, size=2, alpha=0.5, beta=0.5, bias=2.0)),
    "LSTM": _recurrent(4, 3),
    "LpPool": _lp_pool,
    "MaxPool": _max_pool,
    "MaxRoiPool": always(node(PICTURE, np.array([[0, 0, 0, 3, 3], [0, 1, 2, 5, 4]], np.float32), pooled_shape=[2, 2])),
    "MaxUnpool": always(
        node(
            numbers(1, 1, 2, 2),
            np.array([[[[0, 3], [8, 10]]]], np.int64),
            kernel_shape=[2, 2],
            strides=[2, 2],
            known=(),
        )
    ),
    "MelWeightMatrix": always(
        node(one(8, np.int64), one(16, np.int64), one(8192, np.int64), one(0.0), one(4096.0), known=(0, 1, 2, 3, 4))
    ),
    "QLinearConv": _quantized_convolution,
    "RNN": _recurrent(1, 2),
    "Resize": _resize,
    "RoiAlign": _roi_align,
    "STFT": always(node(numbers(1, 16, 1), one(4, np.int64), numbers(8, low=0.1), one(8, np.int64), known=(1, 2, 3))),
    "Upsample": _upsample,
}
