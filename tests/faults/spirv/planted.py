"""Lists the bugs in modules: an edit of the source, the module that comes of it, and true names of the cause."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Planted:
    """One bug in the module of a pass: the source with `old` replaced by `new` is compiled to the module `name`.spv.

    `causes` are the names of causes that are true of it.
    """

    name: str
    pipeline: str
    wrong_pass: str
    source: str
    old: str
    new: str
    causes: tuple[str, ...]

    @property
    def folder(self) -> Path:
        """The folder of the pipeline."""
        return HERE / self.pipeline

    @property
    def module(self) -> Path:
        """The module with the bug."""
        return self.folder / "wrong" / f"{self.name}.spv"


FAULTS: tuple[Planted, ...] = (
    Planted(
        "one_to_the_right", "ncnn_conv", "a", "conv_pack1to4.comp",
        "z * p.cstep + gy * p.w + gx;", "z * p.cstep + gy * p.w + gx + 1;", ("shift",),
    ),
    Planted(
        "rows_of_the_output", "ncnn_conv", "a", "conv_pack1to4.comp",
        "v_offset += p.w;", "v_offset += p.outw;", ("index_map", "stride", "wrong_layout"),
    ),
    Planted(
        "no_bias", "ncnn_conv", "a", "conv_pack1to4.comp", "sum = bias_data[gz];", "sum = vec4(0.f);",
        ("bias_missing",),
    ),
    Planted(
        "last_channels_missing", "ncnn_conv", "y", "conv_1x1_pack4to1.comp", "z < p.c;", "z < p.c - 1;",
        ("missing_channels",),
    ),
    Planted(
        "taps_transposed", "depthwise", "y", "depthwise.comp", "(id.z * 3 + ky) * 3 + kx", "(id.z * 3 + kx) * 3 + ky",
        ("kernel_transpose",),
    ),
    Planted(
        "no_padding", "depthwise", "y", "depthwise.comp", " + ivec2(kx, ky) - sizes.padding", " + ivec2(kx, ky)",
        ("shift",),
    ),
    Planted(
        "bias_of_the_first", "depthwise", "y", "depthwise.comp", "bias.data[id.z]", "bias.data[0]",
        ("bias_offset", "index_map", "channel_permutation"),
    ),
    Planted(
        "rows_of_the_other", "tiled_matmul", "y", "matmul.hlsl",
        "B[(k + thread.y) * Columns + column]", "B[(k + thread.y) * Inner + column]",
        ("index_map", "wrong_partner", "wrong_layout"),
    ),
    Planted(
        "tile_transposed", "tiled_matmul", "y", "matmul.hlsl", "TileB[i][thread.x]", "TileB[thread.x][i]",
        ("index_map", "wrong_partner", "filter_io_swap", "kernel_transpose"),
    ),
    Planted(
        "rows_too_short", "softmax_rows", "y", "softmax.comp",
        "d[row * p.columns + column] =", "d[row * p.rows + column] =",
        ("index_map", "unwritten_texels", "stride", "wrong_layout"),
    ),
    Planted(
        "kernel_transposed", "picture_cnn", "y", "layer.frag",
        "weights[(y + 1) * 3 + x + 1]", "weights[(x + 1) * 3 + y + 1]", ("kernel_transpose",),
    ),
    Planted(
        "rows_and_columns_of_taps", "image_conv", "c", "conv2d.glsl",
        "+ fy * uConstant.kernelSize.x + fx", "+ fx * uConstant.kernelSize.x + fy", ("kernel_transpose",),
    ),
    Planted(
        "windows_one_further", "image_conv", "y", "maxpool.glsl",
        "pos.xy * uConstant.stride;", "pos.xy * uConstant.stride + 1;", ("shift",),
    ),
    Planted(
        "second_four_for_the_third", "layer_norm", "y", "LayerNorm.hlsl",
        "c * scale * LoadFour(Gamma, 2)", "c * scale * LoadFour(Gamma, 1)",
        ("index_map", "wrong_partner", "channel_permutation", "bias_offset"),
    ),
)  # fmt: skip
