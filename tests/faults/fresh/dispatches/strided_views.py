"""Slips in passes that move elements, or add along a row."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_SCAN = """    for (int distance = 1; distance < row_length; distance *= 2) {
        float earlier = column >= distance ? running[column - distance] : 0.0;
        barrier();
        running[column] += earlier;
        barrier();
    }
"""

FAULTS = (
    Planted(
        "a start that is stepped over as well",
        "strided",
        "sliced",
        (
            Swap(
                "strided_slice.comp",
                "starts + target_position * steps",
                "(starts + target_position) * steps",
            ),
        ),
        ("shift", "index_map"),
    ),
    Planted(
        "every row for every second one",
        "strided",
        "sliced",
        (Swap("strided_slice.comp", "starts + target_position * steps", "starts + target_position"),),
        ("stride", "index_map"),
    ),
    Planted(
        "a permutation that only gives a new shape",
        "strided",
        "permuted",
        (Swap("permute.comp", "source_elements[ravel(target_position, permuted_strides)]", "source_elements[index]"),),
        ("wrong_layout", "index_map"),
    ),
    Planted(
        "rows and columns permuted as well",
        "strided",
        "permuted",
        (
            Swap(
                "permute.comp",
                "ivec4(strides[axes.x], strides[axes.y], strides[axes.z], strides[axes.w])",
                "ivec4(strides[axes.x], strides[axes.z], strides[axes.y], strides[axes.w])",
            ),
        ),
        ("transpose_xy", "index_map"),
    ),
    Planted(
        "the first column repeated by the mirror",
        "strided",
        "padded",
        (Swap("pad_reflect.comp", "place = -place;", "place = -place - 1;"),),
        ("padding_mode", "index_map"),
    ),
    Planted(
        "rows moved by the columns' border",
        "strided",
        "padded",
        (Swap("pad_reflect.comp", "position.z - before.y", "position.z - before.x"),),
        ("shift", "index_map"),
    ),
    Planted(
        "a round of the running sum left out",
        "strided",
        "scanned",
        (Swap("prefix_sum.comp", "distance < row_length;", "distance <= row_length / 2;"),),
        ("missing_channels", "missing_taps"),
    ),
    Planted(
        "running sums without the element itself",
        "strided",
        "scanned",
        (
            Swap(
                "prefix_sum.comp",
                "target_elements[row_start + column] = running[column];",
                "target_elements[row_start + column] = column > 0 ? running[column - 1] : 0.0;",
            ),
        ),
        ("shift", "missing_channels", "missing_taps", "index_map"),
    ),
    Planted(
        "rows as far apart as the work group is wide",
        "strided",
        "scanned",
        (Swap("prefix_sum.comp", "int(gl_WorkGroupID.x) * row_length", "int(gl_WorkGroupID.x) * MAXIMUM_ROW"),),
        ("unwritten_texels", "wrong_layout", "index_map"),
    ),
    Planted(
        "a gain a picture",
        "strided",
        "blended",
        (Swap("pipeline.toml", "factor_strides = [0, 1, 0, 0]", "factor_strides = [1, 0, 0, 0]"),),
        ("index_map", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "offset and factor exchanged",
        "strided",
        "blended",
        (
            Swap(
                "broadcast_fma.comp",
                "fma(left_elements[index], factor, offset)",
                "fma(left_elements[index], offset, factor)",
            ),
        ),
        ("wrong_input", "wrong_partner"),
    ),
    Planted(
        "channels shuffled back",
        "strided",
        "mixed",
        (
            Swap("channel_shuffle.comp", "position.y % groups;", "position.y / channels_per_group;"),
            Swap("channel_shuffle.comp", "position.y / groups;", "position.y % channels_per_group;"),
            Swap(
                "channel_shuffle.comp",
                "group * channels_per_group + channel_of_group",
                "channel_of_group * groups + group",
            ),
        ),
        ("channel_permutation", "index_map"),
    ),
    Planted(
        "blocks with the channel outermost",
        "strided",
        "spread",
        (
            Swap(
                "depth_to_space.comp",
                "(row_of_block * block + column_of_block) * target_shape.y + target_position.y",
                "target_position.y * block * block + row_of_block * block + column_of_block",
            ),
        ),
        ("channel_permutation", "index_map"),
    ),
    Planted(
        "blocks filled by columns",
        "strided",
        "spread",
        (
            Swap(
                "depth_to_space.comp",
                "row_of_block * block + column_of_block",
                "column_of_block * block + row_of_block",
            ),
        ),
        ("channel_permutation", "index_map"),
    ),
)

HEALTHY = (
    Healthy("as it is: strided", "strided"),
    Healthy(
        "running sums by one loop an element",
        "strided",
        (
            Swap(
                "prefix_sum.comp",
                _SCAN,
                "    float total = 0.0;\n"
                "    for (int before = 0; before <= column; ++before) {\n"
                "        total += running[before];\n"
                "    }\n"
                "    barrier();\n"
                "    running[column] = total;\n",
            ),
        ),
    ),
    Healthy(
        "mirroring by magnitudes",
        "strided",
        (
            Swap(
                "pad_reflect.comp",
                "    if (place < 0) {\n        place = -place;\n    }\n"
                "    if (place >= size) {\n        place = 2 * (size - 1) - place;\n    }\n"
                "    return place;\n",
                "    return size - 1 - abs(size - 1 - abs(place));\n",
            ),
        ),
    ),
)
