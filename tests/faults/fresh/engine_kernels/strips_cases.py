"""Faults of the pipeline strips: 2-d images in which the slices of four channels lie side by side."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_TOML = "pipeline.toml"


def _fault(
    name: str, culprit: str, swaps: tuple[Swap, ...], *causes: str, others: tuple[str, ...] = (), in_text: bool = True
) -> Planted:
    return Planted(name, "strips", culprit, swaps, causes, others, in_text)


_LEFT = Swap(
    "conv_gemm.comp",
    "if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, u_src_size.xy))) return 0.0;",
    "if (any(greaterThanEqual(at, u_src_size.xy))) return 0.0;",
)
_NO_BIAS = Swap("conv_gemm.comp", "vec4 sum = z < u_dst_size.w ? bias[z] : vec4(0.0);", "vec4 sum = vec4(0.0);")
_NO_ROOT = Swap("instance_norm.comp", "gamma[z] / sqrt(variance + u_epsilon)", "gamma[z] / (variance + u_epsilon)")
_NO_BETA = Swap("instance_norm.comp", "vec4 b = beta[z] - mean * a;", "vec4 b = -mean * a;")

FAULTS = (
    _fault("conv: weights of the first piece", "conv",
           (Swap("conv_gemm.comp", "weights[z * K + k0 + k]", "weights[z * K + k]"),),
           "wrong_partner", "filter_offset", "index_map"),
    _fault("conv: width of the result", "conv",
           (Swap("conv_gemm.comp", "c / 4 * u_src_size.x + at.x", "c / 4 * u_dst_size.x + at.x"),), "index_map"),
    _fault("conv: no test on the left", "conv", (_LEFT,), "tile_bleed", "padding_mode"),
    _fault("conv: pieces end a row early", "conv", (Swap("conv_gemm.comp", "k < TK; ++k", "k < TK - 1; ++k"),),
           "missing_taps", "missing_channels"),
    _fault("conv: pad before stride", "conv", (Swap(_TOML, "u_window = [3, 3, 2, 1]", "u_window = [3, 3, 1, 2]"),),
           "stride", "shift", in_text=False),
    _fault("conv: tile kept in halves", "conv",
           (Swap("conv_gemm.comp", "cols[i / TK][i % TK] = unfolded(first + i / TK, k0 + i % TK);",
                 "cols[i / TK][i % TK] = unpackHalf2x16(packHalf2x16(vec2(unfolded(first + i / TK, k0 + i % TK)))).x;"),
            ), "half_precision", "precision"),
    _fault("unit: no root", "unit", (_NO_ROOT,), "activation_missing", "wrong_function"),
    _fault("gem: the other counter goes on", "gem", (Swap("gem_pool.comp", "dx < 2; ++dx", "dx < 2; ++dy"),),
           "loop_cut_off"),
    _fault("gem: cubes without a floor", "gem", (Swap("gem_pool.comp", "            v = max(v, u_least);\n", ""),),
           "nan_source", "activation_missing"),
    _fault("gem: a third of whole numbers", "gem", (Swap("gem_pool.comp", "vec4(1.0 / 3.0)", "vec4(1 / 3)"),),
           "wrong_function"),
    _fault("up: first tap without the pad", "up",
           (Swap("deconv_depthwise.comp", "tap0 = reach % u_window.z", "tap0 = pos.xy % u_window.z"),),
           "index_map", "wrong_partner", "stride"),
    _fault("up: source by row and column", "up",
           (Swap("deconv_depthwise.comp", "pos.z * u_src_size.x + sx, sy", "pos.z * u_src_size.x + sy, sx"),),
           "transpose_xy", "index_map"),
    _fault("places: nothing taken off the exponents", "places",
           (Swap("softmax_plane.comp", "i / u_size.x)) * u_heat - top);", "i / u_size.x)) * u_heat);"),
            Swap("softmax_plane.comp", "exp(imageLoad(u_src, at) * u_heat - top)",
                 "exp(imageLoad(u_src, at) * u_heat)")), "inf_source", "nan_source"),
    _fault("places: heat not handed over", "places", (Swap(_TOML, "uniforms.u_heat = 30\n", ""),), "unset_uniform",
           "scale", in_text=False),
    _fault("context: a square of places", "context", (Swap("weighted_sum.comp", "x < u_size.x", "x < u_size.y"),),
           "missing_taps", "missing_channels"),
    _fault("scaled: slices one behind the other", "scaled",
           (Swap("scale_in_place.comp", "i / u_size.x % u_size.w", "i / (u_size.x * u_size.y)"),),
           "wrong_partner", "index_map", "wrong_layout"),
    _fault("scaled: groups rounded down", "scaled", (Swap(_TOML, '["270 / 64"]', "[4]"),), "unwritten_texels",
           in_text=False),
    _fault("scaled: gains in the order of a screen", "scaled",
           (Swap("scale_in_place.comp", "imageLoad(u_gain, ivec2(z, 0));", "imageLoad(u_gain, ivec2(z, 0)).bgra;"),),
           "channel_permutation", "wrong_partner", "index_map"),
    _fault("scaled: three of four", "scaled",
           (Swap("scale_in_place.comp", "data[i] *= imageLoad(u_gain, ivec2(z, 0));",
                 "data[i].xyz *= imageLoad(u_gain, ivec2(z, 0)).xyz;"),), "dropped_lane"),
)  # fmt: skip

PAIRS = (
    _fault("conv: no test on the left and no bias", "conv", (_LEFT, _NO_BIAS), "bias_missing",
           others=("tile_bleed", "padding_mode")),
    _fault("unit: no root and no offset", "unit", (_NO_ROOT, _NO_BETA), "activation_missing", "wrong_function",
           others=("bias_missing",)),
)  # fmt: skip

HEALTHY = (
    Healthy(
        "up: every tap is tested",
        "strips",
        (
            Swap("deconv_depthwise.comp", "    ivec2 tap0 = reach % u_window.z;\n", ""),
            Swap(
                "deconv_depthwise.comp",
                "for (int ky = tap0.y; ky < u_window.y; ky += u_window.z) {",
                "for (int ky = 0; ky < u_window.y; ++ky) {\n        if ((reach.y - ky) % u_window.z != 0) continue;",
            ),
            Swap(
                "deconv_depthwise.comp",
                "for (int kx = tap0.x; kx < u_window.x; kx += u_window.z) {",
                "for (int kx = 0; kx < u_window.x; ++kx) {\n"
                "            if ((reach.x - kx) % u_window.z != 0) continue;",
            ),
        ),
    ),
    Healthy(
        "context: a place at a time",
        "strips",
        (
            Swap(
                "weighted_sum.comp",
                """    for (int y = 0; y < u_size.y; ++y) {
        for (int x = 0; x < u_size.x; ++x) {
            int column = z * u_size.x + x;
            sum += imageLoad(u_map, ivec2(column, y + u_top)) * imageLoad(u_share, ivec2(column, y));
        }
    }
""",
                """    for (int i = u_size.x * u_size.y - 1; i >= 0; --i) {
        ivec2 at = ivec2(z * u_size.x + i % u_size.x, i / u_size.x);
        vec4 share = imageLoad(u_share, at);
        at.y += u_top;
        sum += share * imageLoad(u_map, at);
    }
""",
            ),
        ),
    ),
)
