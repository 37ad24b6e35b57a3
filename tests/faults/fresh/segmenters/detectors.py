"""Slips at the end of a detector: its head, boxes from anchors, corners, scores, overlaps, soft suppression."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS = (
    Planted(
        "a gain over the bias as well",
        "yolo",
        "head",
        (Swap("head.frag", "r = gain * r + B(o);", "r = gain * (r + B(o));"),),
        ("scale",),
    ),
    Planted(
        "tiles of a head counted downwards",
        "yolo",
        "head",
        (Swap("head.frag", "int o = q.x + COLS * q.y;", "int o = q.y + COLS * q.x;"),),
        ("channel_permutation", "index_map", "wrong_layout"),
    ),
    Planted(
        "cells in rows of four",
        "yolo",
        "boxes",
        (Swap("boxes.frag", "cx = row % GW;", "cx = row % GH;"),),
        ("index_map",),
    ),
    Planted(
        "anchors by height and width",
        "yolo",
        "boxes",
        (
            Swap("boxes.frag", "anchors[a].x", "anchors[a].t"),
            Swap("boxes.frag", "anchors[a].y", "anchors[a].s"),
        ),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "centres without their half a cell across",
        "yolo",
        "boxes",
        (Swap("boxes.frag", "r = (2.0 * s - 0.5 + float(cx)) * stride;", "r = (2.0 * s + float(cx)) * stride;"),),
        ("affine", "bias_missing"),
    ),
    Planted(
        "twice a square for the square of twice",
        "yolo",
        "boxes",
        (Swap("boxes.frag", "r = 4.0 * s * s * anchors[a].y;", "r = 2.0 * s * s * anchors[a].y;"),),
        ("scale", "wrong_literal"),
    ),
    Planted(
        "shares squashed once more",
        "yolo",
        "boxes",
        (Swap("boxes.frag", "default: r = s;", "default: r = SIGMOID(s);"),),
        ("activation_extra", "wrong_function"),
    ),
    Planted(
        "raw numbers for objectness and classes",
        "yolo",
        "boxes",
        (Swap("boxes.frag", "default: r = s;", "default: r = T(a * FIELDS + field);"),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "the stride of the level above",
        "yolo",
        "boxes",
        (Swap("pipeline.toml", "uniforms.stride = 16", "uniforms.stride = 8"),),
        ("scale",),
        in_text=False,
    ),
    Planted(
        "extents one column too early",
        "yolo",
        "corners",
        (Swap("corners.frag", "extent = AT(axis + 2)", "extent = AT(axis + 1)"),),
        ("index_map", "shift", "wrong_partner"),
    ),
    Planted(
        "whole extents to either side",
        "yolo",
        "corners",
        (
            Swap(
                "corners.frag",
                "r = side < 2 ? centre - 0.5 * extent : centre + 0.5 * extent;",
                "r = side < 2 ? centre - extent : centre + extent;",
            ),
        ),
        ("scale",),
    ),
    Planted(
        "the image as high as wide",
        "yolo",
        "corners",
        (Swap("corners.frag", "clamp(r, 0.0, image[axis])", "clamp(r, 0.0, image.x)"),),
        ("alpha", "index_map", "wrong_partner"),
    ),
    Planted(
        "classes from the column of objectness on",
        "yolo",
        "best",
        (
            Swap("best.frag", "float top = AT(5);", "float top = AT(4);"),
            Swap(
                "best.frag",
                "        if (AT(5 + k) > top) { top = AT(5 + k); which = k; }",
                "        if (AT(4 + k) > top) { top = AT(4 + k); which = k; }",
            ),
        ),
        ("shift", "index_map"),
    ),
    Planted(
        "a geometric mean for a product",
        "yolo",
        "best",
        (Swap("best.frag", "? top * AT(4) :", "? sqrt(top * AT(4)) :"),),
        ("activation_extra", "wrong_function"),
    ),
    Planted(
        "a union that counts the common part twice",
        "yolo",
        "overlap",
        (Swap("overlap.frag", "AREA(b) - both + 0.01", "AREA(b) + 0.01"),),
        ("bias_missing", "double_counted"),
    ),
    Planted(
        "sides below zero kept",
        "yolo",
        "overlap",
        (
            Swap(
                "overlap.frag",
                "max(min(a.zw, b.zw) - max(a.xy, b.xy), 0.0)",
                "min(a.zw, b.zw) - max(a.xy, b.xy)",
            ),
        ),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "heights from the left",
        "yolo",
        "overlap",
        (Swap("overlap.frag", "(b.w - b.y))", "(b.w - b.x))"),),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "a score not below itself",
        "yolo",
        "soft",
        (Swap("soft.frag", "SCORE(j) > mine", "SCORE(j) >= mine"),),
        ("wrong_function", "extra_channels"),
    ),
    Planted(
        "overlaps that are not squared",
        "yolo",
        "soft",
        (Swap("soft.frag", "away += IOU(i, j) * IOU(i, j);", "away += IOU(i, j);"),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "boxes taken for sorted ones",
        "yolo",
        "soft",
        (Swap("soft.frag", "j < total; ++j", "j < i; ++j"),),
        ("missing_channels",),
    ),
)

PAIRS = (
    Planted(
        "widths by an exponential, rows for columns of cells",
        "yolo",
        "boxes",
        (
            Swap(
                "boxes.frag",
                "r = 4.0 * s * s * anchors[a].x;",
                "r = exp(T(a * FIELDS + field)) * anchors[a].x;",
            ),
            Swap(
                "boxes.frag", "r = (2.0 * s - 0.5 + float(cx)) * stride;", "r = (2.0 * s - 0.5 + float(cy)) * stride;"
            ),
        ),
        ("wrong_function",),
        ("index_map", "wrong_partner", "transpose_xy"),
    ),
)
