"""Two slips in one program, each of which shows by itself."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

PAIRS = (
    Planted(
        "padding at the wrong side, and no bias",
        "mobile",
        "stem",
        (
            Swap("conv2d.frag", "const ivec2 pads = ivec2(1, 0);", "const ivec2 pads = ivec2(1, 1);"),
            Swap("conv2d.frag", "  result = result + getBias(d2);\n", ""),
        ),
        ("shift", "index_map"),
        ("bias_missing",),
    ),
    Planted(
        "a shared dimension too short, and a bias in the upper rows alone",
        "packed",
        "hidden",
        (
            Swap("matmul.frag", "const int sharedDimension = 7;", "const int sharedDimension = 6;"),
            Swap("matmul.frag", "return vec4(row.xy, row.xy);", "return row;"),
        ),
        ("missing_channels",),
        ("bias_missing", "bias_offset", "index_map"),
    ),
    Planted(
        "coordinates of boxes in another order, and zero beyond the image",
        "sampled",
        "crops",
        (
            Swap("crop_and_resize.frag", "float x1 = getBoxes(b, 1.0);", "float x1 = getBoxes(b, 2.0);"),
            Swap("crop_and_resize.frag", "float y2 = getBoxes(b, 2.0);", "float y2 = getBoxes(b, 1.0);"),
            Swap(
                "crop_and_resize.frag",
                "in_y > inDims.x - 1.0) {\n        outColor.r = extrapolationValue;",
                "in_y > inDims.x - 1.0) {\n        outColor.r = 0.0;",
            ),
            Swap(
                "crop_and_resize.frag",
                "in_x > inDims.y - 1.0) {\n        outColor.r = extrapolationValue;",
                "in_x > inDims.y - 1.0) {\n        outColor.r = 0.0;",
            ),
        ),
        ("index_map", "channel_permutation"),
        ("padding_mode", "wrong_literal"),
    ),
    Planted(
        "a bare sigmoid, on top of the heads",
        "attention",
        "heard",
        (
            Swap("project.frag", "((z) / (1.0 + exp(-(z))))", "(1.0 / (1.0 + exp(-(z))))"),
            Swap("project.frag", "result = FETCH(X, t, 6) +", "result = FETCH(M, t, 6) +"),
        ),
        ("wrong_function",),
        ("wrong_input", "wrong_partner"),
    ),
    Planted(
        "columns of the filter as they are stored, and no bias",
        "decoder",
        "up",
        (
            Swap("conv_transpose.frag", "int wCPerm = wShape[3] - 1 - wC;", "int wCPerm = wC;"),
            Swap("conv_transpose.frag", "vec4(dotProd + getBias(d1), 0, 0, 0)", "vec4(dotProd, 0, 0, 0)"),
        ),
        ("kernel_flip", "index_map"),
        ("bias_missing",),
    ),
    Planted(
        "a spread divided by rows alone, and one slope for all channels",
        "decoder",
        "styled",
        (
            Swap(
                "instance_prelu.frag",
                "sum += away * away;\n        }\n    }\n    return sum / float(xShape.z * xShape.w);",
                "sum += away * away;\n        }\n    }\n    return sum / float(xShape.z);",
            ),
            Swap("instance_prelu.frag", "texelFetch(slopes, ivec2(0, at.y), 0)", "texelFetch(slopes, ivec2(0, 0), 0)"),
        ),
        ("average_count", "scale", "wrong_function"),
        ("index_map", "alpha", "channel_permutation", "wrong_partner"),
    ),
)
