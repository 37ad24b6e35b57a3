"""The encoder and decoder: tiles of channels, places worked out in floats."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS = (
    Planted(
        "variance by one texel less",
        "pix2pix",
        "enc2_norm",
        (Swap("instance_norm.frag", "squares / count", "squares / (count - 1.0)"),),
        ("average_count",),
    ),
    Planted(
        "number of a tile, columns and rows swapped",
        "pix2pix",
        "enc2_norm",
        (Swap("instance_norm.frag", "int(tile.y * uGrid.x + tile.x)", "int(tile.x * uGrid.x + tile.y)"),),
        ("index_map", "wrong_partner", "bias_offset", "channel_permutation", "filter_offset", "transpose_xy"),
    ),
    Planted(
        "the mirror one texel too far",
        "pix2pix",
        "mid",
        (Swap("reflect.frag", "vec2 last = uTile - 1.0;", "vec2 last = uTile;"),),
        ("tile_bleed", "padding_mode"),
    ),
    Planted(
        "transposed kernels as if outputs came first",
        "pix2pix",
        "dec1",
        (Swap("up_norm.frag", "(inTile * uOutGrid + tile) * 4.0", "(tile * uInGrid + inTile) * 4.0"),),
        ("filter_io_swap", "index_map", "wrong_layout", "filter_offset"),
    ),
    Planted(
        "skip not counted from its own start",
        "pix2pix",
        "joined",
        (Swap("join.frag", "place(number - uUpperCount, uSkipGrid)", "place(number, uSkipGrid)"),),
        ("index_map", "tile_bleed", "channel_permutation"),
    ),
    Planted(
        "taps one after the other",
        "pix2pix",
        "picture",
        (Swap("picture.frag", "ivec2(kernel + 2.0 * vec2(u, v))", "ivec2(kernel + vec2(u, v))"),),
        ("index_map", "filter_offset", "dilation", "wrong_partner"),
    ),
    Planted(
        "source half a texel before",
        "pix2pix",
        "picture",
        (Swap("picture.frag", "(pixel + 1.0 - odd) / 2.0", "(pixel - odd) / 2.0"),),
        ("texel_edge", "half_texel", "shift"),
    ),
    Planted(
        "bias by the number of tiles",
        "pix2pix",
        "enc1",
        (Swap("down.frag", "float(textureSize(uBias, 0).x)", "(uOutGrid.x * uOutGrid.y)"),),
        ("bias_offset", "index_map"),
    ),
)

PAIRS = (
    Planted(
        "last channel and relu forgotten",
        "pix2pix",
        "dec1",
        (
            Swap("up_norm.frag", "c < uInCount; c += 1.0", "c < uInCount - 1.0; c += 1.0"),
            Swap("up_norm.frag", "vec4(max(sum, 0.0))", "vec4(sum)"),
        ),
        ("missing_channels",),
        ("activation_missing",),
    ),
    Planted(
        "bias of the next, tile of kernels mirrored",
        "pix2pix",
        "picture",
        (
            Swap("picture.frag", "ivec2(number, 0.0)", "ivec2(number + 1.0, 0.0)"),
            Swap("picture.frag", "(inTile * uOutGrid + tile) * 4.0 + odd", "(inTile * uOutGrid + tile.yx) * 4.0 + odd"),
        ),
        ("bias_offset",),
        ("filter_offset", "index_map", "channel_permutation", "transpose_xy", "wrong_partner"),
    ),
)

_TWO_LOOPS = """\
    float total = 0.0;
    for (float y = 0.0; y < uTile.y; y += 1.0)
        for (float x = 0.0; x < uTile.x; x += 1.0)
            total += read(tile, vec2(x, y));
    float mean = total / count;

    float squares = 0.0;
    for (float y = 0.0; y < uTile.y; y += 1.0)
        for (float x = 0.0; x < uTile.x; x += 1.0) {
            float d = read(tile, vec2(x, y)) - mean;
            squares += d * d;
        }
"""
_WELFORD = """\
    float mean = 0.0;
    float squares = 0.0;
    float seen = 0.0;
    for (float y = 0.0; y < uTile.y; y += 1.0)
        for (float x = 0.0; x < uTile.x; x += 1.0) {
            float value = read(tile, vec2(x, y));
            float d = value - mean;
            seen += 1.0;
            mean += d / seen;
            squares += d * (value - mean);
        }
"""

HEALTHY = (
    Healthy("mean and variance in one go", "pix2pix", (Swap("instance_norm.frag", _TWO_LOOPS, _WELFORD),)),
    Healthy(
        "batch norm as one product and one sum",
        "pix2pix",
        (
            Swap(
                "up_norm.frag",
                "    sum = (sum - mean) * scale / sqrt(variance + 0.001) + shift;\n",
                "    float factor = scale * inversesqrt(variance + 0.001);\n"
                "    sum = sum * factor + (shift - mean * factor);\n",
            ),
        ),
    ),
    Healthy(
        "filtered on centres",
        "pix2pix",
        (
            Swap(
                "pipeline.toml",
                'textures.uInput = "image"',
                'textures.uInput = { tensor = "image", filter = "linear" }',
            ),
        ),
    ),
)
