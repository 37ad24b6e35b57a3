"""Slips in the compute shaders of `images`: slices side by side, a norm over channels, pools, an enlargement."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS = (
    Planted(
        name="a mean over whole slices",
        target="images",
        culprit="ln",
        swaps=(Swap("layernorm.comp", "float n = float(u_shape.z);", "float n = float(slices * 4);"),),
        causes=("average_count",),
    ),
    Planted(
        name="the mean not taken off in the squares",
        target="images",
        culprit="ln",
        swaps=(Swap("layernorm.comp", "p.y))[c & 3] - mean;", "p.y))[c & 3];"),),
        causes=("wrong_function", "unexplained"),
    ),
    Planted(
        name="a slope for what is above",
        target="images",
        culprit="ln",
        swaps=(Swap("layernorm.comp", "r[k] = a < 0.0 ?", "r[k] = a > 0.0 ?"),),
        causes=("wrong_function", "activation_extra"),
    ),
    Planted(
        name="the slope of a lane",
        target="images",
        culprit="ln",
        swaps=(Swap("layernorm.comp", "a * slope[c] : a;", "a * slope[k] : a;"),),
        causes=("index_map", "channel_permutation", "wrong_partner", "alpha"),
    ),
    Planted(
        name="gamma of the slice",
        target="images",
        culprit="ln",
        swaps=(Swap("layernorm.comp", "v[k] * gamma[c]", "v[k] * gamma[s]"),),
        causes=("index_map", "wrong_partner", "channel_permutation"),
    ),
    Planted(
        name="a far larger epsilon",
        target="images",
        culprit="ln",
        swaps=(Swap("pipeline.toml", "uniforms.u_eps = 0.001", "uniforms.u_eps = 0.1"),),
        causes=("epsilon",),
        in_text=False,
    ),
    Planted(
        name="a root forgotten",
        target="images",
        culprit="ln",
        swaps=(Swap("layernorm.comp", "inversesqrt(squares / n + u_eps)", "1.0 / (squares / n + u_eps)"),),
        causes=("activation_missing", "wrong_function"),
    ),
    Planted(
        name="three of four corners",
        target="images",
        culprit="peaks",
        swaps=(Swap("maxpool2.comp", "max(max(a, b), max(c, d))", "max(max(a, b), max(c, a))"),),
        causes=("missing_taps",),
    ),
    Planted(
        name="a smaller one slipped in",
        target="images",
        culprit="peaks",
        swaps=(Swap("maxpool2.comp", "max(max(a, b), max(c, d))", "max(max(a, b), min(c, d))"),),
        causes=("wrong_function",),
    ),
    Planted(
        name="a mean of the four",
        target="images",
        culprit="peaks",
        swaps=(Swap("maxpool2.comp", "max(max(a, b), max(c, d))", "0.25 * (a + b + c + d)"),),
        causes=("wrong_function",),
    ),
    Planted(
        name="slices as wide as the output",
        target="images",
        culprit="peaks",
        swaps=(Swap("maxpool2.comp", "ivec2(id.z * u_in_shape.x, 0)", "ivec2(id.z * u_out_shape.x, 0)"),),
        causes=("index_map", "shift", "channel_permutation", "tile_bleed", "wrong_layout"),
    ),
    Planted(
        name="slices below each other",
        target="images",
        culprit="means",
        swaps=(
            Swap(
                "avgpool3.comp",
                "imageLoad(u_in, ivec2(p.x + slice * u_shape.x, p.y))",
                "imageLoad(u_in, ivec2(p.x, p.y + slice * u_shape.y))",
            ),
        ),
        causes=("wrong_layout", "missing_channels", "index_map", "unwritten_texels"),
    ),
    Planted(
        name="the cache's corner without the border",
        target="images",
        culprit="means",
        swaps=(
            Swap(
                "avgpool3.comp",
                "ivec2 corner = ivec2(gl_WorkGroupID.xy) * 8 - 1;",
                "ivec2 corner = ivec2(gl_WorkGroupID.xy) * 8;",
            ),
        ),
        causes=("shift",),
    ),
    Planted(
        name="no barrier after the cache is filled",
        target="images",
        culprit="means",
        swaps=(Swap("avgpool3.comp", "    groupMemoryBarrier();\n    barrier();\n", "    groupMemoryBarrier();\n"),),
        causes=("missing_barrier",),
    ),
    Planted(
        name="border of edges",
        target="images",
        culprit="means",
        swaps=(
            Swap(
                "avgpool3.comp",
                "    if (p.x < 0 || p.y < 0 || p.x >= u_shape.x || p.y >= u_shape.y) return vec4(0.0);\n",
                "    p = clamp(p, ivec2(0), u_shape - 1);\n",
            ),
        ),
        causes=("padding_mode",),
    ),
    Planted(
        name="rows and columns of a block",
        target="images",
        culprit="point",
        swaps=(
            Swap(
                "conv1x1.comp", "acc += v * kernel[id.z * IN_SLICES + s];", "acc += kernel[id.z * IN_SLICES + s] * v;"
            ),
        ),
        causes=("filter_io_swap", "index_map", "wrong_partner"),
    ),
    Planted(
        name="blocks with outputs inside",
        target="images",
        culprit="point",
        swaps=(Swap("conv1x1.comp", "kernel[id.z * IN_SLICES + s]", "kernel[s * IN_SLICES + id.z]"),),
        causes=("filter_io_swap", "index_map", "wrong_partner", "filter_offset"),
    ),
    Planted(
        name="the second slice written over the first",
        target="images",
        culprit="point",
        swaps=(
            Swap(
                "conv1x1.comp",
                "imageStore(u_out, ivec2(id.z * u_shape.x + id.x, id.y), acc);",
                "imageStore(u_out, ivec2(id.x, id.y), acc);",
            ),
        ),
        causes=("write_race", "unwritten_texels", "channel_permutation"),
    ),
    Planted(
        name="enlarged from corners",
        target="images",
        culprit="gated",
        swaps=(Swap("upsample_gate.comp", "(vec2(id.xy) + 0.5) * 0.5 - 0.5;", "vec2(id.xy) * 0.5;"),),
        causes=("half_texel",),
    ),
    Planted(
        name="places cut off towards zero",
        target="images",
        culprit="gated",
        swaps=(Swap("upsample_gate.comp", "vec2 base = floor(src);", "vec2 base = trunc(src);"),),
        causes=("padding_mode", "index_map", "unexplained"),
    ),
    Planted(
        name="fractions swapped",
        target="images",
        culprit="gated",
        swaps=(Swap("upsample_gate.comp", "vec2 t = src - base;", "vec2 t = (src - base).yx;"),),
        causes=("transpose_xy", "index_map", "unexplained"),
    ),
    Planted(
        name="a gate that is not a share",
        target="images",
        culprit="gated",
        swaps=(Swap("upsample_gate.comp", "    gate = 1.0 / (1.0 + exp(-gate));\n", ""),),
        causes=("activation_missing",),
    ),
    Planted(
        name="the gate's sign",
        target="images",
        culprit="gated",
        swaps=(Swap("upsample_gate.comp", "exp(-gate)", "exp(gate)"),),
        causes=("wrong_function", "activation_extra", "scale"),
    ),
    Planted(
        name="a blob in halves",
        target="images",
        culprit="point",
        swaps=(
            Swap(
                "conv1x1.comp",
                "acc += v * kernel[id.z * IN_SLICES + s];",
                "v.xy = unpackHalf2x16(packHalf2x16(v.xy)), v.zw = unpackHalf2x16(packHalf2x16(v.zw));\n"
                "        acc += v * kernel[id.z * IN_SLICES + s];",
            ),
        ),
        causes=("half_precision", "precision"),
    ),
    Planted(
        name="eight bits on the way",
        target="images",
        culprit="gated",
        swaps=(
            Swap(
                "upsample_gate.comp",
                "    gate = 1.0 / (1.0 + exp(-gate));\n",
                "    gate = unpackUnorm4x8(packUnorm4x8(1.0 / (1.0 + exp(-gate))));\n",
            ),
        ),
        causes=("quantized_8bit",),
    ),
)

PAIRS = (
    Planted(
        name="no slope, and no beta",
        target="images",
        culprit="ln",
        swaps=(
            Swap("layernorm.comp", "a * slope[c] : a;", "0.0 : a;"),
            Swap("layernorm.comp", "+ beta[c];", ";"),
        ),
        causes=("alpha", "clamped_nonnegative", "wrong_function", "activation_extra"),
        others=("bias_missing",),
    ),
)

HEALTHY = (
    Healthy(
        name="the mean taken over two sums",
        target="images",
        swaps=(
            Swap(
                "avgpool3.comp",
                "    for (int dy = 0; dy < 3; dy++)\n"
                "        for (int dx = 0; dx < 3; dx++)\n"
                "            sum += cache[l.y + dy][l.x + dx];\n",
                "    for (int dx = 2; dx >= 0; dx--)\n"
                "        sum += cache[l.y][l.x + dx] + cache[l.y + 1][l.x + dx] + cache[l.y + 2][l.x + dx];\n",
            ),
            Swap("avgpool3.comp", "sum / 9.0);", "sum * 0.11111111);"),
        ),
    ),
    Healthy(
        name="weights of four corners",
        target="images",
        swaps=(
            Swap(
                "upsample_gate.comp",
                "    vec4 value = mix(top, bottom, t.y);\n",
                "    vec4 value = (1.0 - t.y) * top + t.y * bottom;\n",
            ),
        ),
    ),
)
