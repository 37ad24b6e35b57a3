"""Planted bugs in where elements are put: other layouts, lanes that are lost."""

from __future__ import annotations

import numpy as np

from tests.faults import models
from tests.faults.changes import Edit, EncodedAs, Kept, OnBindDo, StoredAs, Uniform
from tests.faults.fault import Fault
from tests.faults.models import conv_of
from tests.faults.seen.subjects import convolutions, dispatches, elements, pictures, rows
from tests.faults.states import mask
from tests.faults.subjects import FLAT, RGBA, generated

FAULTS: tuple[Fault, ...] = (
    Fault(
        "weights uploaded as channel tiles",
        "wrong_layout",
        lambda: generated(models.conv((1, 4, 6, 7), 4)),
        (EncodedAs("w", "channel_tiles"),),
    ),
    Fault(
        "flat elements taken for packed channels",
        "wrong_layout",
        lambda: generated(models.pointwise("Tanh", (1, 4, 6, 6)), "row_major_rgba"),
        (StoredAs(layout="channel_tiles_rgba"),),
        {"layout": "row_major_rgba"},
    ),
    Fault(
        "an input read by another packing",
        "wrong_layout",
        lambda: generated(models.pointwise("LeakyRelu", (1, 1, 8, 8), alpha=0.1), "tfjs_packed"),
        (StoredAs("x", layout="row_major_rgba"),),
        seen_at="onnxruntime#7689",
    ),
    Fault(
        "a row as wide as that of another shape",
        "wrong_layout",
        rows.gemm_flat,
        (Uniform("u_width", 2),),
        where=("int first = (int(gl_FragCoord.y) * u_width",),
        seen_at="tfjs#6787",
    ),
    Fault(
        "an operand packed otherwise",
        "wrong_layout",
        lambda: generated(models.binary("Add", (1, 4, 6, 6)), FLAT),
        (StoredAs("b", layout=RGBA),),
    ),
    Fault(
        "a pool written by another packing",
        "wrong_layout",
        lambda: generated(models.pool("MaxPool", (1, 4, 12, 12)), RGBA),
        (StoredAs(layout=FLAT),),
    ),
    Fault(
        "a dense layer's result four outputs further on",
        "wrong_layout",
        rows.dense_flat,
        (StoredAs("w", layout=RGBA),),
    ),
    Fault(
        "weights with outputs last in memory",
        "wrong_layout",
        lambda: generated(conv_of((1, 4, 6, 7), (4, 4, 3, 3), pads=(1, 1, 1, 1)), "row_major_rgba"),
        (
            Edit("W(ivec4(at.y, i, p, q))", "W_at(((p * 3 + q) * 4 + i) * 4 + at.y)"),
            Edit(
                "float compute(ivec4 at) {",
                "float W_at(int k) { return W(ivec4(k / 36, k / 9 % 4, k / 3 % 3, k % 3)); }\n"
                "float compute(ivec4 at) {",
            ),
        ),
        {"order": "h, w, i, o"},
    ),
    Fault(
        "features with channels last before a dense layer",
        "wrong_layout",
        rows.flatten_dense,
        (Edit("int k = (c * H + h) * W + w;", "int k = (h * W + w) * C + c;"),),
        where=("total += feature(", "texelFetch(t_w"),
    ),
    Fault(
        "rows of the result as wide as those of another shape",
        "wrong_layout",
        convolutions.deconv_flat,
        (Edit("const int WIDTH = 8;", "const int WIDTH = 5;"),),
        where=("int first = (here.y * WIDTH",),
    ),
    Fault(
        "a packed pool of flat memory",
        "wrong_layout",
        lambda: generated(models.pool("MaxPool", (1, 1, 8, 8)), "tfjs_packed"),
        (StoredAs("x", layout="row_major_rgba"),),
    ),
    Fault(
        "batches counted on without the padding of the one before",
        "pack_padding",
        elements.flipped_batches,
        (Edit("n * ((u_channels + 3) / 4 * 4) + c", "n * u_channels + c"),),
        {"tensor": "x", "length": 5},
        ("return texelFetch(t_x",),
    ),
    Fault(
        "rows of a buffer read as if they were padded",
        "pack_padding",
        dispatches.relu_plain,
        (Edit("x[at]", "x[at / 7 * 8 + at % 7]"),),
        {"tensor": "x", "length": 8},
    ),
    Fault(
        "the fourth lane of every texel dropped",
        "dropped_lane",
        lambda: convolutions.conv_rgba(models.conv((1, 8, 6, 7), 8)),
        (Edit("result = total;", "result = vec4(total.xyz, 0.0);"),),
        {"lane": 3},
        seen_at="ArtCNN#2",
    ),
    Fault(
        "dot products of three lanes",
        "dropped_lane",
        lambda: convolutions.conv_rgba(models.conv((1, 8, 6, 7), 5)),
        (
            Edit(
                "sum += dot(image(g, p * u_step - u_margin + k), kernel(feature, g, k));",
                "sum += dot(image(g, p * u_step - u_margin + k).xyz, kernel(feature, g, k).xyz);",
            ),
        ),
        {"lane": 3},
        alternatives=("missing_channels",),  # the fourth lane holds channels 3 and 7
    ),
    Fault(
        "a colour mask without blue",
        "dropped_lane",
        lambda: generated(models.conv((1, 3, 6, 7), 6), "channel_tiles_rgba"),
        (OnBindDo(mask((True, True, False, True))),),
        {"lane": 2},
        alternatives=("unwritten_texels",),  # a masked lane is not written
    ),
    Fault(
        "a colour mask without red and green",
        "dropped_lane",
        lambda: generated(models.pointwise("Sigmoid", (1, 8, 5, 6)), RGBA),
        (OnBindDo(mask((True, False, True, True))),),
        {"lane": 1},
        alternatives=("unwritten_texels",),  # a masked lane is not written
    ),
    Fault(
        "a sum whose fourth lane is 1, as in a picture",
        "dropped_lane",
        lambda: generated(models.binary("Add", (1, 8, 5, 6)), RGBA),
        (Kept(lambda texels: np.concatenate([texels[..., :3], np.ones_like(texels[..., 3:])], axis=2)),),
        {"lane": 3},
    ),
    Fault(
        "the fourth of four partial sums left out",
        "dropped_lane",
        rows.dense_flat,
        (Edit("dot(sum, vec4(1.0))", "dot(sum.xyz, vec3(1.0))"),),
        {"lane": 3},
        ("sum += quad(x",),
        alternatives=("missing_channels",),  # the fourth lane holds inputs 3, 7 and 11
    ),
    Fault(
        "alpha masked in a mean",
        "dropped_lane",
        pictures.global_mean_rgba,
        (OnBindDo(mask((True, True, True, False))),),
        {"lane": 3},
        alternatives=("unwritten_texels",),  # a masked lane is not written
    ),
)
