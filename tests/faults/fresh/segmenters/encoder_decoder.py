"""Slips in a U-Net of four channels a texel: windows, batch norm, transposed convolution, skip connection, softmax."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS = (
    Planted(
        "a window that begins at its middle",
        "unet",
        "enc1",
        (Swap("conv3.frag", "r = p + d - 1;", "r = p + d;"),),
        ("shift", "index_map"),
    ),
    Planted(
        "kernels of the first layer read column by column",
        "unet",
        "enc1",
        (Swap("conv3.frag", "* 3 + d, 0)", "* 3 + d.yx, 0)"),),
        ("kernel_transpose", "index_map"),
    ),
    Planted(
        "one texel of biases for both groups",
        "unet",
        "enc1",
        (Swap("conv3.frag", "texelFetch(b, ivec2(f, 0), 0)", "texelFetch(b, ivec2(0), 0)"),),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "the fourth texel of a pool is the second",
        "unet",
        "pool",
        (Swap("pool.frag", "ivec2(1, 1)", "ivec2(1, 0)"),),
        ("missing_taps", "index_map"),
    ),
    Planted(
        "pools that move on by one",
        "unet",
        "pool",
        (Swap("pool.frag", "+ 2 * (t % s)", "+ t % s"),),
        ("stride", "index_map"),
    ),
    Planted(
        "the smaller of two in a pool",
        "unet",
        "pool",
        (
            Swap(
                "pool.frag",
                "m = max(m, texelFetch(x, p + ivec2(0, 1), 0));",
                "m = min(m, texelFetch(x, p + ivec2(0, 1), 0));",
            ),
        ),
        ("wrong_function",),
    ),
    Planted(
        "a thousandth beside the deviation",
        "unet",
        "enc2",
        (
            Swap(
                "conv3_bn.frag",
                "* inversesqrt(texelFetch(va, i, 0) + 1e-3)",
                "/ (sqrt(texelFetch(va, i, 0)) + 1e-3)",
            ),
        ),
        ("epsilon",),
    ),
    Planted(
        "running mean and beta bound the wrong way round",
        "unet",
        "enc2",
        (
            Swap("pipeline.toml", 'textures.be = { tensor = "beta"', 'textures.be = { tensor = "mean"'),
            Swap("pipeline.toml", 'textures.mu = { tensor = "mean"', 'textures.mu = { tensor = "beta"'),
        ),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "rectified first, normalised afterwards",
        "unet",
        "enc2",
        (
            Swap("conv3_bn.frag", "    a = (a - texelFetch(mu", "    a = max(a, 0.0);\n    a = (a - texelFetch(mu"),
            Swap("conv3_bn.frag", "o = max(a, 0.0);", "o = a;"),
        ),
        ("activation_before_bias", "wrong_function", "activation_extra", "activation_missing"),
    ),
    Planted(
        "a transposed kernel turned around",
        "unet",
        "up",
        (Swap("up2.frag", "* 2 + d, 0)", "* 2 + 1 - d, 0)"),),
        ("kernel_flip", "index_map"),
    ),
    Planted(
        "tiles of a transposed kernel with outputs first",
        "unet",
        "up",
        (Swap("up2.frag", "n = 2 * i + f;", "n = f * ch + i;"),),
        ("filter_io_swap", "filter_offset", "wrong_layout", "index_map"),
    ),
    Planted(
        "the red lane for all four on the way up",
        "unet",
        "up",
        (Swap("up2.frag", "[i & 3]", ".r"),),
        ("index_map", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "features on the way up held between zero and one",
        "unet",
        "up",
        (Swap("up2.frag", "    o = a;", "    o = clamp(a, 0.0, 1.0);"),),
        ("clamped_0_1", "activation_extra", "wrong_function"),
    ),
    Planted(
        "skip connection behind the way up",
        "unet",
        "dec1",
        (
            Swap("pipeline.toml", 'textures.skip = "enc1"', 'textures.skip = "up"'),
            Swap("pipeline.toml", 'textures.x = "up"', 'textures.x = "enc1"'),
        ),
        ("wrong_input", "channel_permutation", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "the last four channels of a concatenation unread",
        "unet",
        "dec1",
        (Swap("dec.frag", "g < ci; g++", "g < ci - 1; g++"),),
        ("missing_channels",),
    ),
    Planted(
        "the skip connection in both halves",
        "unet",
        "dec1",
        (
            Swap(
                "dec.frag",
                "return texelFetch(x, ivec2((c >> 2) % xc, (c >> 2) / xc) * s + r, 0)[c & 3];",
                "return texelFetch(skip, ivec2((c >> 2) % xc, (c >> 2) / xc) * s + r, 0)[c & 3];",
            ),
        ),
        ("wrong_input", "wrong_partner"),
    ),
    Planted(
        "powers of two in a softmax",
        "unet",
        "prob",
        (Swap("prob.frag", "exp(l[c] - top)", "exp2(l[c] - top)"),),
        ("wrong_function", "scale"),
    ),
    Planted(
        "shares of the four classes in a texel",
        "unet",
        "prob",
        (
            Swap(
                "prob.frag",
                "    o = vec4(l[4 * f], l[4 * f + 1], l[4 * f + 2], l[4 * f + 3]) / z;",
                "    o = vec4(l[4 * f], l[4 * f + 1], l[4 * f + 2], l[4 * f + 3]);\n    o /= dot(o, vec4(1.0));",
            ),
        ),
        ("missing_channels",),
    ),
    Planted(
        "a class's bias with each group of channels",
        "unet",
        "prob",
        (
            Swap("prob.frag", "        l[c] = texelFetch(b, ivec2(c, 0), 0).r;", "        l[c] = 0.0;"),
            Swap("prob.frag", "            l[c] += dot(", "            l[c] += texelFetch(b, ivec2(c, 0), 0).r + dot("),
        ),
        ("bias_doubled", "double_counted"),
    ),
)

PAIRS = (
    Planted(
        "eight taps of nine, and no beta",
        "unet",
        "enc2",
        (
            Swap("conv3_bn.frag", "j < 9", "j < 8"),
            Swap("conv3_bn.frag", "a = a * texelFetch(ga, i, 0) + texelFetch(be, i, 0);", "a *= texelFetch(ga, i, 0);"),
        ),
        ("missing_taps",),
        ("bias_missing",),
    ),
    Planted(
        "classes of four channels only, biases of the class before",
        "unet",
        "prob",
        (
            Swap("prob.frag", "g < G; g++", "g < 1; g++"),
            Swap("prob.frag", "texelFetch(b, ivec2(c, 0), 0)", "texelFetch(b, ivec2(max(c - 1, 0), 0), 0)"),
        ),
        ("missing_channels",),
        ("bias_offset", "index_map", "shift"),
    ),
)
