"""Slips in programs that move values about, by whole numbers and by float coordinates."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

_MOVES = (
    Planted(
        "columns mirrored with their border",
        "moves",
        "mirrored",
        (
            Swap("mirror.frag", "q.y = -q.y;", "q.y = -q.y - 1;"),
            Swap("mirror.frag", "q.y = 2 * last.y - q.y;", "q.y = 2 * last.y + 1 - q.y;"),
        ),
        ("padding_mode", "index_map"),
    ),
    Planted(
        "padding above and padding at the left exchanged",
        "moves",
        "mirrored",
        (Swap("mirror.frag", "p.zw - before,", "p.zw - before.yx,"),),
        ("shift", "index_map"),
    ),
    Planted(
        "the last row repeated below",
        "moves",
        "mirrored",
        (Swap("mirror.frag", "q.x = 2 * last.x - q.x;", "q.x = last.x;"),),
        ("padding_mode", "index_map"),
    ),
    Planted(
        "a slice from the last column backwards",
        "moves",
        "strided",
        (Swap("pipeline.toml", "uniforms.begin = [1, 9]", "uniforms.begin = [1, 10]"),),
        ("shift", "index_map"),
        in_text=False,
    ),
    Planted(
        "steps reduced to their direction",
        "moves",
        "strided",
        (Swap("slice.frag", "begin + p.zw * step_", "begin + p.zw * sign(step_)"),),
        ("stride", "index_map"),
    ),
    Planted(
        "two of the indices exchanged",
        "moves",
        "picked",
        (Swap("pipeline.toml", "uniforms.indices = [2, 0, 1, 2, 1]", "uniforms.indices = [2, 0, 1, 1, 2]"),),
        ("channel_permutation", "index_map"),
        in_text=False,
    ),
    Planted(
        "indices that begin anew after as many as there are channels",
        "moves",
        "picked",
        (Swap("gather.frag", "indices[p.y];", "indices[p.y % aS.y];"),),
        ("index_map", "channel_permutation"),
    ),
    Planted(
        "the second tensor addressed by the sizes of the first",
        "moves",
        "stacked",
        (Swap("concat.frag", "flatten(p, bS)", "flatten(p, aS)"),),
        ("index_map", "channel_permutation", "wrong_layout"),
    ),
    Planted(
        "depth before the block",
        "moves",
        "spread",
        (
            Swap(
                "depth_to_space.frag",
                "(off.x * block + off.y) * oS.y + p.y",
                "(p.y * block + off.x) * block + off.y",
            ),
        ),
        ("channel_permutation", "index_map", "wrong_layout"),
    ),
    Planted(
        "a block filled by columns",
        "moves",
        "spread",
        (Swap("depth_to_space.frag", "off.x * block + off.y", "off.y * block + off.x"),),
        ("channel_permutation", "index_map", "transpose_xy", "wrong_layout"),
    ),
    Planted(
        "two letters of the permutation exchanged",
        "moves",
        "turned",
        (Swap("transpose.frag", "p.xwyz", "p.xwzy"),),
        ("transpose_xy", "index_map"),
    ),
    Planted(
        "an exclusive sum that includes",
        "moves",
        "summed",
        (Swap("cumsum.frag", "int k = p.z + 1;", "int k = p.z;"),),
        ("extra_channels", "shift"),
    ),
    Planted(
        "a running sum without the end of its row",
        "moves",
        "summed",
        (Swap("cumsum.frag", "k < oS.z;", "k < oS.z - 1;"),),
        ("missing_channels", "missing_taps"),
    ),
)

_SAMPLED = (
    Planted(
        "corners of pixels kept in place where their middles are",
        "sampled",
        "grown",
        (Swap("resize_bilinear.frag", "(inDims - 1.0) / (outDims - 1.0)", "inDims / outDims"),),
        ("half_texel", "stride", "index_map"),
    ),
    Planted(
        "two corners of four exchanged",
        "sampled",
        "grown",
        (
            Swap(
                "resize_bilinear.frag",
                "depth, vec2(sourceCeilRC.x, sourceFloorRC.y), coords.z);\n    float topRight = "
                "getImage(A, inDims, depth, vec2(sourceFloorRC.x, sourceCeilRC.y)",
                "depth, vec2(sourceFloorRC.x, sourceCeilRC.y), coords.z);\n    float topRight = "
                "getImage(A, inDims, depth, vec2(sourceCeilRC.x, sourceFloorRC.y)",
            ),
        ),
        ("wrong_partner", "index_map", "transpose_xy"),
    ),
    Planted(
        "a largest value that starts at zero",
        "sampled",
        "pooled",
        (
            Swap(
                "maxpool.frag",
                "float minMaxValue = getImage(x, inDims, depth, corner, coords.z);",
                "float minMaxValue = 0.0;",
            ),
        ),
        ("clamped_nonnegative", "activation_extra", "wrong_function"),
    ),
    Planted(
        "rows and columns of the window from the second on, since the corner is known",
        "sampled",
        "pooled",
        (
            Swap("maxpool.frag", "float wR = 0.0;", "float wR = 1.0;"),
            Swap("maxpool.frag", "float wC = 0.0;", "float wC = 1.0;"),
        ),
        ("missing_taps",),
    ),
    Planted(
        "the smallest of the window",
        "sampled",
        "pooled",
        (Swap("maxpool.frag", "max(value, minMaxValue)", "min(value, minMaxValue)"),),
        ("wrong_function",),
    ),
    Planted(
        "the stride across for both directions",
        "sampled",
        "pooled",
        (Swap("maxpool.frag", "coords.xy * strides;", "coords.xy * strides.x;"),),
        ("stride", "index_map"),
    ),
    Planted(
        "pixels counted from their corners",
        "sampled",
        "nearest",
        (Swap("resize_nearest.frag", "(coords.xy + 0.5) * ratio", "coords.xy * ratio"),),
        ("half_texel", "index_map"),
    ),
    Planted(
        "an enlargement held between black and white",
        "sampled",
        "nearest",
        (
            Swap(
                "resize_nearest.frag",
                "outColor.r = getImage(A, inDims, depth, sourceNearestRC, coords.z);",
                "outColor.r = clamp(getImage(A, inDims, depth, sourceNearestRC, coords.z), 0.0, 1.0);",
            ),
        ),
        ("clamped_0_1", "activation_extra", "wrong_function"),
    ),
    Planted(
        "boxes held inside the image",
        "sampled",
        "crops",
        (
            Swap(
                "crop_and_resize.frag",
                "    if (in_y < 0.0 || in_y > inDims.x - 1.0) {\n        outColor.r = extrapolationValue;\n"
                "        return;\n    }\n",
                "    in_y = clamp(in_y, 0.0, inDims.x - 1.0);\n",
            ),
            Swap(
                "crop_and_resize.frag",
                "    if (in_x < 0.0 || in_x > inDims.y - 1.0) {\n        outColor.r = extrapolationValue;\n"
                "        return;\n    }\n",
                "    in_x = clamp(in_x, 0.0, inDims.y - 1.0);\n",
            ),
        ),
        ("padding_mode",),
    ),
    Planted(
        "boxes as y1, y2, x1, x2",
        "sampled",
        "crops",
        (
            Swap("crop_and_resize.frag", "float x1 = getBoxes(b, 1.0);", "float x1 = getBoxes(b, 2.0);"),
            Swap("crop_and_resize.frag", "float y2 = getBoxes(b, 2.0);", "float y2 = getBoxes(b, 1.0);"),
        ),
        ("index_map", "channel_permutation"),
    ),
    Planted(
        "as many steps as there are rows of a crop",
        "sampled",
        "crops",
        (Swap("crop_and_resize.frag", "(inDims.x - 1.0) / (cropDims.x - 1.0)", "(inDims.x - 1.0) / cropDims.x"),),
        ("stride", "index_map", "half_texel"),
    ),
    Planted(
        "a column from what is left of a quotient",
        "sampled",
        "crops",
        (
            Swap(
                "crop_and_resize.frag",
                "float x = inBox - y * cropDims.y;",
                "float x = floor(fract(inBox / cropDims.y) * cropDims.y);",
            ),
        ),
        ("float_index_precision", "index_map"),
    ),
)

FAULTS = (*_MOVES, *_SAMPLED)
