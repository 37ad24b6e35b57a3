"""DeformConv: a convolution whose taps are moved by offsets, and weighted by a mask.

Each tap's samples are gathered for all channels at once and multiplied by the tap's weights. onnx.reference walks
every output element in Python, and divides by zero for a picture of one row.
"""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Array, Invocation, Outputs

OPERATOR = "DeformConv"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X [N, C, H, W], W [O, C/group, P, Q], offset [N, 2·groups·P·Q, h, w], B [O], mask [N, groups·P·Q, h, w]."""
    x, weight, offset = (invocation.required(i) for i in range(3))
    if not invocation.is_real or x.ndim != 4:
        return None
    bias, mask = invocation.input(3), invocation.input(4)
    rows, columns = weight.shape[2:]
    groups, offset_groups = invocation.attribute("group") or 1, invocation.attribute("offset_group") or 1
    strides, dilations = invocation.attribute("strides") or (1, 1), invocation.attribute("dilations") or (1, 1)
    pads = invocation.attribute("pads") or (0, 0, 0, 0)
    height, width = offset.shape[2:]
    moves = offset.reshape(len(x), offset_groups, rows, columns, 2, height, width).astype(np.float64)
    shares = None if mask is None else mask.reshape(len(x), offset_groups, rows, columns, height, width)
    y = np.zeros((len(x), len(weight), height, width))
    for p in range(rows):
        for q in range(columns):
            v = (np.arange(height) * strides[0] - pads[0] + p * dilations[0])[:, None] + moves[:, :, p, q, 0]
            u = np.arange(width) * strides[1] - pads[1] + q * dilations[1] + moves[:, :, p, q, 1]
            taps = _sampled(x, v, u, offset_groups)
            if shares is not None:
                taps = taps * np.repeat(shares[:, :, p, q], x.shape[1] // offset_groups, axis=1)
            taps = taps.reshape(len(x), groups, -1, height * width)
            kernel = weight[:, :, p, q].reshape(groups, -1, weight.shape[1]).astype(np.float64)
            y += (kernel @ taps).reshape(y.shape)
    if bias is not None:
        y += bias.reshape(-1, 1, 1)
    return (y.astype(x.dtype),)


def _sampled(x: Array, v: Array, u: Array, groups: int) -> Array:
    """x at rows v and columns u [N, groups, h, w], which its channels share group by group; zero outside."""
    _, channels, height, width = x.shape
    batch = np.arange(len(x))[:, None, None, None]
    channel = np.arange(channels)[:, None, None]
    v, u = (np.repeat(place, channels // groups, axis=1) for place in (v, u))
    total = np.zeros(v.shape)
    for row, row_weight in ((np.floor(v), 1 - v + np.floor(v)), (np.floor(v) + 1, v - np.floor(v))):
        for column, column_weight in ((np.floor(u), 1 - u + np.floor(u)), (np.floor(u) + 1, u - np.floor(u))):
            inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
            r, c = (np.clip(np.where(inside, place, 0), 0, None).astype(np.int64) for place in (row, column))
            total += np.where(inside, x[batch, channel, r, c] * row_weight * column_weight, 0.0)
    return total
