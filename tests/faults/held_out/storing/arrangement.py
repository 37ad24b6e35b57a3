"""Planted bugs in where elements are put: other layouts, lanes that are lost."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit, EncodedAs, OnBindDo, StoredAs, Uniform
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import convolutions, elements, pictures, rows
from tests.faults.states import mask
from tests.faults.subjects import generated
from texelscope.layouts.row_major_rgba import RowMajorRgba

FAULTS: tuple[Fault, ...] = (
    Fault(
        "filters of 1x1 in another grid",
        "wrong_layout",
        lambda: generated(models.conv((1, 9, 5, 6), 4, 1, pads=(0, 0, 0, 0), bias=False)),
        (EncodedAs("w", "channel_tiles"),),
    ),
    Fault(
        "a result written in flat order",
        "wrong_layout",
        lambda: generated(models.conv((1, 3, 6, 8), 4, bias=False), "channel_tiles_rgba"),
        (StoredAs(layout=RowMajorRgba(width=8)),),
        {"layout": "channel_tiles_rgba"},
    ),
    Fault(
        "means in rows of another width",
        "wrong_layout",
        rows.column_means,
        (Uniform("texels", 2),),
        where=("int first = (here.y * texels",),
    ),
    Fault(
        "a pool's channels laid flat",
        "wrong_layout",
        lambda: generated(models.pool("MaxPool", (1, 4, 8, 12)), "channel_tiles_rgba"),
        (StoredAs(layout=RowMajorRgba(width=6)),),
        {"layout": "channel_tiles_rgba"},
    ),
    Fault(
        "red of every texel masked",
        "dropped_lane",
        convolutions.conv_blocks,
        (OnBindDo(mask((False, True, True, True))),),
        {"lane": 0},
        alternatives=("unwritten_texels",),  # a masked lane is not written
    ),
    Fault(
        "a mean of three lanes",
        "dropped_lane",
        pictures.avgpool_rgba,
        (Edit("o_mean = total / (u_window * u_window);", "o_mean = vec4(total.rgb / (u_window * u_window), 1.0);"),),
        {"lane": 3},
    ),
    Fault(
        "an opaque activation",
        "dropped_lane",
        elements.hardswish_uv,
        (Edit("color = x * gate;", "color = vec4((x * gate).rgb, 1.0);"),),
        {"lane": 3},
    ),
    Fault(
        "green of a batch masked",
        "dropped_lane",
        elements.batchnorm_rgba,
        (OnBindDo(mask((True, False, True, True))),),
        {"lane": 1},
        alternatives=("unwritten_texels",),  # a masked lane is not written
    ),
)
