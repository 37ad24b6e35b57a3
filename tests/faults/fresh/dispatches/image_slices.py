"""Slips in layers that read volumes of four channels a slice."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_STORE = "    imageStore(uOutput, pos, color);"
_MIX = "mix(mix(v00, v10, f.x), mix(v01, v11, f.x), f.y)"
_RAMP = "max(v, 0.0) + slope * min(v, 0.0)"
_LOOPS = """    for (int y = from.y; y < to.y; ++y) {
        for (int x = from.x; x < to.x; ++x) {
"""

FAULTS = (
    Planted(
        "every group reads the first group's channels",
        "slices",
        "grouped",
        (Swap("conv_group.comp", "g * ic + i)", "i)"),),
        ("group_ignored", "index_map", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "groups dealt out in turn",
        "slices",
        "grouped",
        (Swap("conv_group.comp", "int g = o / oc;", "int g = o % uGroup;"),),
        ("group_ignored", "index_map", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "a curve below zero with its bracket in the wrong place",
        "slices",
        "grouped",
        (Swap("conv_group.comp", "uAlpha * (exp(v) - 1.0)", "uAlpha * exp(v) - 1.0"),),
        ("wrong_function",),
    ),
    Planted(
        "a window cut off before the last row and column",
        "slices",
        "grouped",
        (Swap("conv_group.comp", "uInputSize.xy - s0)", "uInputSize.xy - 1 - s0)"),),
        ("missing_taps",),
    ),
    Planted(
        "rows of the kernel as long as it is high",
        "slices",
        "grouped",
        (Swap("conv_group.comp", "base + ky * KW + kx", "base + ky * KH + kx"),),
        ("index_map", "filter_offset", "wrong_partner", "wrong_layout"),
    ),
    Planted(
        "paddings in the file the other way round",
        "slices",
        "grouped",
        (Swap("pipeline.toml", "uniforms.uPad = [1, 2]", "uniforms.uPad = [2, 1]"),),
        ("shift", "index_map"),
        in_text=False,
    ),
    Planted(
        "weights of the way up as those of the way down",
        "slices",
        "deconv",
        (Swap("deconv.comp", "((i) * uOutputSize.z + (o))", "((o) * uInputSize.z + (i))"),),
        ("filter_io_swap", "wrong_layout", "index_map", "wrong_partner"),
    ),
    Planted(
        "the transposed kernel turned around",
        "slices",
        "deconv",
        (Swap("deconv.comp", "* KH + (ky)) * KW + (kx)]", "* KH + KH - 1 - (ky)) * KW + KW - 1 - (kx)]"),),
        ("kernel_flip", "index_map", "wrong_partner"),
    ),
    Planted(
        "the lane's number for the channel's bias",
        "slices",
        "deconv",
        (Swap("deconv.comp", "uBias.data[o]", "uBias.data[lane]"),),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "a sum that goes on from lane to lane",
        "slices",
        "deconv",
        (
            Swap("deconv.comp", "    vec4 color = vec4(0.0);\n", "    vec4 color = vec4(0.0);\n    float sum = 0.0;\n"),
            Swap("deconv.comp", "float sum = uBias.data[o];", "sum += uBias.data[o];"),
        ),
        ("accumulator_not_reset",),
    ),
    Planted(
        "whole slices of the input alone",
        "slices",
        "deconv",
        (Swap("deconv.comp", "z < UP_DIV(uInputSize.z, 4); ++z", "z < uInputSize.z / 4; ++z"),),
        ("missing_channels",),
    ),
    Planted(
        "centres on centres where corners belong on corners",
        "slices",
        "enlarged",
        (Swap("resize.comp", "vec2(pos.xy) * uScale;", "max((vec2(pos.xy) + 0.5) * uScale - 0.5, 0.0);"),),
        ("half_texel", "shift", "index_map"),
    ),
    Planted(
        "the ratio of the sizes in the file",
        "slices",
        "enlarged",
        (Swap("pipeline.toml", '["6 / 13", "7 / 14"]', '["7 / 14", "8 / 15"]'),),
        ("half_texel", "stride", "index_map"),
        in_text=False,
    ),
    Planted(
        "fractions along x and y exchanged",
        "slices",
        "enlarged",
        (Swap("resize.comp", _MIX, "mix(mix(v00, v10, f.y), mix(v01, v11, f.y), f.x)"),),
        ("wrong_partner", "kernel_transpose"),
    ),
    Planted(
        "halves on the way out",
        "slices",
        "enlarged",
        (
            Swap(
                "resize.comp",
                f"    imageStore(uOutput, pos, {_MIX});",
                f"    vec4 v = {_MIX};\n"
                "    v = vec4(unpackHalf2x16(packHalf2x16(v.xy)), unpackHalf2x16(packHalf2x16(v.zw)));\n"
                "    imageStore(uOutput, pos, v);",
            ),
        ),
        ("half_precision",),
    ),
    Planted(
        "the second part read from its own channel five on",
        "slices",
        "joined",
        (Swap("concat.comp", "c - uFirst)", "c)"),),
        ("index_map", "channel_permutation", "extra_channels"),
    ),
    Planted(
        "both parts bound the other way round",
        "slices",
        "joined",
        (
            Swap("pipeline.toml", 'uInput0 = { tensor = "deconv", size = [14, 15, 2] }', 'uInput0 = "?"'),
            Swap(
                "pipeline.toml",
                'uInput1 = { tensor = "enlarged", size = [14, 15, 3] }',
                'uInput1 = { tensor = "deconv", size = [14, 15, 2] }',
            ),
            Swap("pipeline.toml", 'uInput0 = "?"', 'uInput0 = { tensor = "enlarged", size = [14, 15, 3] }'),
        ),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "joined values held between zero and one",
        "slices",
        "joined",
        (Swap("concat.comp", _STORE, "    imageStore(uOutput, pos, clamp(color, 0.0, 1.0));"),),
        ("clamped_0_1", "activation_extra", "wrong_function", "clamped_nonnegative"),
    ),
    Planted(
        "epsilon beside the root",
        "slices",
        "fused",
        (
            Swap(
                "batchnorm_prelu.comp",
                "sqrt(uVariance.data[pos.z] + uEpsilon)",
                "(sqrt(uVariance.data[pos.z]) + uEpsilon)",
            ),
        ),
        ("epsilon", "activation_before_bias", "wrong_function"),
    ),
    Planted(
        "the first slope for all channels",
        "slices",
        "fused",
        (Swap("batchnorm_prelu.comp", "uSlope.data[pos.z]", "vec4(uSlope.data[0].x)"),),
        ("alpha", "index_map", "wrong_partner"),
    ),
    Planted(
        "a mean that is not taken off",
        "slices",
        "fused",
        (
            Swap(
                "batchnorm_prelu.comp",
                "(LOAD(uInput, pos.x, pos.y, pos.z) - uMean.data[pos.z])",
                "LOAD(uInput, pos.x, pos.y, pos.z)",
            ),
        ),
        ("bias_missing",),
    ),
    Planted(
        "the largest value sought from zero on",
        "slices",
        "peak",
        (Swap("maxpool.comp", "vec4 best = LOWEST;", "vec4 best = vec4(0.0);"),),
        ("clamped_nonnegative", "activation_extra", "wrong_function"),
    ),
    Planted(
        "windows side by side",
        "slices",
        "peak",
        (Swap("maxpool.comp", "pos.xy * uStride", "pos.xy * uKernel"),),
        ("stride", "index_map"),
    ),
    Planted(
        "the place read with its row first",
        "slices",
        "peak",
        (Swap("maxpool.comp", "LOAD(uInput, x, y, pos.z)", "LOAD(uInput, y, x, pos.z)"),),
        ("transpose_xy", "index_map"),
    ),
)

PAIRS = (
    Planted(
        "a transposed kernel turned around, and whole slices alone",
        "slices",
        "deconv",
        (
            Swap("deconv.comp", "* KH + (ky)) * KW + (kx)]", "* KH + KH - 1 - (ky)) * KW + KW - 1 - (kx)]"),
            Swap("deconv.comp", "z < UP_DIV(uInputSize.z, 4); ++z", "z < uInputSize.z / 4; ++z"),
        ),
        ("kernel_flip", "index_map", "wrong_partner"),
        ("missing_channels",),
    ),
    Planted(
        "epsilon beside the root, and the first slice's shifts",
        "slices",
        "fused",
        (
            Swap(
                "batchnorm_prelu.comp",
                "sqrt(uVariance.data[pos.z] + uEpsilon)",
                "(sqrt(uVariance.data[pos.z]) + uEpsilon)",
            ),
            Swap("batchnorm_prelu.comp", "uBeta.data[pos.z]", "uBeta.data[0]"),
        ),
        ("epsilon", "activation_before_bias", "wrong_function"),
        ("bias_offset", "index_map"),
    ),
)

HEALTHY = (
    Healthy("as it is: slices", "slices"),
    Healthy(
        "columns before rows in the search for the largest",
        "slices",
        (
            Swap(
                "maxpool.comp",
                _LOOPS,
                "    for (int x = to.x - 1; x >= from.x; --x) {\n        for (int y = from.y; y < to.y; ++y) {\n",
            ),
        ),
    ),
    Healthy(
        "slopes chosen by a comparison",
        "slices",
        (Swap("batchnorm_prelu.comp", _RAMP, "mix(slope * v, v, greaterThan(v, vec4(0.0)))"),),
    ),
    Healthy(
        "four products for two mixes of mixes",
        "slices",
        (
            Swap(
                "resize.comp",
                _MIX,
                "v00 * ((1.0 - f.x) * (1.0 - f.y)) + v11 * (f.x * f.y) + v10 * (f.x - f.x * f.y)"
                " + v01 * (f.y - f.x * f.y)",
            ),
        ),
    ),
    Healthy(
        "a bias added last",
        "slices",
        (
            Swap("deconv.comp", "float sum = uBias.data[o];", "float sum = 0.0;"),
            Swap("deconv.comp", "color[lane] = sum;", "color[lane] = sum + uBias.data[o];"),
        ),
    ),
)
