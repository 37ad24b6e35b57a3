"""Slips in the fragment shaders of `mobile`: slices, groups, windows, pools, a concatenation across lanes."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS = (
    Planted(
        name="input slices counted by those of the output",
        target="mobile",
        culprit="expand",
        swaps=(Swap("conv1x1.frag", "int kernelAt = oz * uInSlices * 4;", "int kernelAt = oz * uOutSlices * 4;"),),
        causes=("filter_offset", "index_map", "wrong_partner"),
    ),
    Planted(
        name="a block of weights turned",
        target="mobile",
        culprit="expand",
        swaps=(
            Swap(
                "conv1x1.frag",
                "acc += vec4(dot(color, k0), dot(color, k1), dot(color, k2), dot(color, k3));",
                "acc += mat4(k0, k1, k2, k3) * color;",
            ),
        ),
        causes=("filter_io_swap", "index_map", "wrong_partner"),
    ),
    Planted(
        name="the second row of a block taken twice",
        target="mobile",
        culprit="expand",
        swaps=(
            Swap(
                "conv1x1.frag",
                "vec4 k2 = loadFlat(uKernel, kernelAt + 2, uKernelWidth);",
                "vec4 k2 = loadFlat(uKernel, kernelAt + 1, uKernelWidth);",
            ),
        ),
        causes=("filter_offset", "index_map", "wrong_partner"),
    ),
    Planted(
        name="the kernel does not move on",
        target="mobile",
        culprit="expand",
        swaps=(Swap("conv1x1.frag", "        kernelAt += 4;\n", ""),),
        causes=("filter_offset", "index_map", "wrong_partner"),
    ),
    Planted(
        name="assigned in the loop",
        target="mobile",
        culprit="expand",
        swaps=(Swap("conv1x1.frag", "acc += vec4(dot", "acc = vec4(dot"),),
        causes=("missing_channels", "bias_missing"),
    ),
    Planted(
        name="bias of the tile's column",
        target="mobile",
        culprit="expand",
        swaps=(Swap("conv1x1.frag", "texelFetch(uBias, ivec2(oz, 0), 0)", "texelFetch(uBias, ivec2(tile.x, 0), 0)"),),
        causes=("bias_offset",),
    ),
    Planted(
        name="the input's tiles in one row",
        target="mobile",
        culprit="depth",
        swaps=(
            Swap(
                "depthwise.frag", "ivec2(fx, fy), z, uInGrid, uInSize)", "ivec2(fx, fy), z, ivec2(uSlices, 1), uInSize)"
            ),
        ),
        causes=("wrong_layout", "index_map", "missing_channels"),
    ),
    Planted(
        name="the window's start on the output's border",
        target="mobile",
        culprit="depth",
        swaps=(
            Swap(
                "depthwise.frag",
                "ivec2 end = min(ivec2(KERNEL_W, KERNEL_H), uInSize - s0);",
                "ivec2 end = min(ivec2(KERNEL_W, KERNEL_H), uInSize - s0 - 1);",
            ),
        ),
        causes=("missing_taps", "padding_mode"),
    ),
    Planted(
        name="the clipped part starts at the kernel's first tap",
        target="mobile",
        culprit="depth",
        swaps=(
            Swap(
                "depthwise.frag",
                "fy * KERNEL_W + fx, uKernelWidth)",
                "(fy - sta.y) * KERNEL_W + fx - sta.x, uKernelWidth)",
            ),
        ),
        causes=("index_map", "filter_offset", "wrong_partner"),
    ),
    Planted(
        name="padding taken off before the stride",
        target="mobile",
        culprit="depth",
        swaps=(Swap("depthwise.frag", "ivec2 s0 = p * uStride - uPad;", "ivec2 s0 = (p - uPad) * uStride;"),),
        causes=("shift",),
    ),
    Planted(
        name="relu6 forgotten in the toml",
        target="mobile",
        culprit="depth",
        swaps=(
            Swap(
                "pipeline.toml",
                "uniforms.uStride = [2, 2]\nuniforms.uPad = [1, 1]\ndefines.RELU6 = true\n",
                "uniforms.uStride = [2, 2]\nuniforms.uPad = [1, 1]\n",
            ),
        ),
        causes=("activation_missing",),
        in_text=False,
    ),
    Planted(
        name="relu for relu6",
        target="mobile",
        culprit="depth",
        swaps=(
            Swap(
                "pipeline.toml",
                "uniforms.uPad = [1, 1]\ndefines.RELU6 = true\n",
                "uniforms.uPad = [1, 1]\ndefines.RELU = true\n",
            ),
        ),
        causes=("alpha", "wrong_function", "activation_missing"),
        in_text=False,
    ),
    Planted(
        name="group by the inputs in a group",
        target="mobile",
        culprit="grouped",
        swaps=(Swap("grouped.frag", "int group = oc / uOutPerGroup;", "int group = oc / uInPerGroup;"),),
        causes=("group_ignored", "index_map", "wrong_partner"),
    ),
    Planted(
        name="groups begin at a slice",
        target="mobile",
        culprit="grouped",
        swaps=(Swap("grouped.frag", "int firstIn = group * uInPerGroup;", "int firstIn = group * 4;"),),
        causes=("group_ignored", "index_map", "wrong_partner", "channel_permutation"),
    ),
    Planted(
        name="weights counted within the group",
        target="mobile",
        culprit="grouped",
        swaps=(
            Swap(
                "grouped.frag",
                "int kernelAt = (oc * uInPerGroup + ic) * 9;",
                "int kernelAt = (oc % uOutPerGroup * uInPerGroup + ic) * 9;",
            ),
        ),
        causes=("filter_offset", "index_map", "wrong_partner"),
    ),
    Planted(
        name="the lane of a weight that was not asked",
        target="mobile",
        culprit="grouped",
        swaps=(Swap("grouped.frag", "uKernelWidth)[index % 4];", "uKernelWidth).x;"),),
        causes=("index_map", "filter_offset", "wrong_partner"),
    ),
    Planted(
        name="the slope of the wrong side",
        target="mobile",
        culprit="grouped",
        swaps=(Swap("grouped.frag", "lessThan(acc, vec4(0.0)));", "greaterThan(acc, vec4(0.0)));"),),
        causes=("wrong_function", "activation_extra"),
    ),
    Planted(
        name="bias only where the group begins",
        target="mobile",
        culprit="grouped",
        swaps=(Swap("grouped.frag", "acc[lane] += convolve(oc, p);", "acc[lane] = convolve(oc, p);"),),
        causes=("bias_missing",),
    ),
    Planted(
        name="a maximum that begins at zero",
        target="mobile",
        culprit="maxpool",
        swaps=(Swap("pool.frag", "vec4 best = vec4(-3.0e38);", "vec4 best = vec4(0.0);"),),
        causes=("clamped_nonnegative", "activation_extra", "wrong_function"),
    ),
    Planted(
        name="a window of two",
        target="mobile",
        culprit="maxpool",
        swaps=(Swap("pool.frag", "dx < kSize; ++dx", "dx < kSize - 1; ++dx"),),
        causes=("missing_taps",),
    ),
    Planted(
        name="the border's edge repeated in the mean and in the maximum's place",
        target="mobile",
        culprit="avgpool",
        swaps=(Swap("pool.frag", "oColor = sum / count;", "oColor = sum / 9.0;"),),
        causes=("average_count",),
    ),
    Planted(
        name="stride of the pool counted by the window",
        target="mobile",
        culprit="maxpool",
        swaps=(Swap("pool.frag", "ivec2 first = p * kStride - kPad;", "ivec2 first = p * kSize - kPad;"),),
        causes=("stride",),
    ),
    Planted(
        name="the second blob from its next slice",
        target="mobile",
        culprit="joined",
        swaps=(
            Swap(
                "concat.frag",
                "loadChannel(uSecond, p, c - uFirstChannels, uSecondGrid, uSize)",
                "loadChannel(uSecond, p, c % uFirstChannels - 2, uSecondGrid, uSize)",
            ),
        ),
        causes=("index_map", "channel_permutation"),
    ),
    Planted(
        name="whole slices copied",
        target="mobile",
        culprit="joined",
        swaps=(Swap("concat.frag", "if (c < uFirstChannels) {", "if (c0 < uFirstChannels) {"),),
        causes=("wrong_input", "index_map", "unwritten_texels", "channel_permutation"),
    ),
    Planted(
        name="blobs joined in the other order",
        target="mobile",
        culprit="joined",
        swaps=(
            Swap("pipeline.toml", 'textures.uFirst = "maxpool"', 'textures.uFirst = "avgpool"'),
            Swap("pipeline.toml", 'textures.uSecond = "avgpool"', 'textures.uSecond = "maxpool"'),
        ),
        causes=("wrong_input", "channel_permutation"),
        in_text=False,
    ),
)

PAIRS = (
    Planted(
        name="groups begin at a slice, and no slope",
        target="mobile",
        culprit="grouped",
        swaps=(
            Swap("grouped.frag", "int firstIn = group * uInPerGroup;", "int firstIn = group * 4;"),
            Swap("grouped.frag", "uSlope * acc, lessThan", "0.0 * acc, lessThan"),
        ),
        causes=("group_ignored", "index_map", "wrong_partner", "channel_permutation"),
        others=("alpha", "wrong_function", "clamped_nonnegative", "activation_extra"),
    ),
)

HEALTHY = (
    Healthy(
        name="weights as a matrix from the right",
        target="mobile",
        swaps=(
            Swap(
                "conv1x1.frag",
                "acc += vec4(dot(color, k0), dot(color, k1), dot(color, k2), dot(color, k3));",
                "acc += color * mat4(k0, k1, k2, k3);",
            ),
        ),
    ),
    Healthy(
        name="a mean by the size of the clipped window",
        target="mobile",
        swaps=(
            Swap(
                "pool.frag",
                "oColor = sum / count;",
                "ivec2 inside = min(first + kSize, uInSize) - max(first, ivec2(0));\n"
                "    oColor = sum * (1.0 / float(inside.x * inside.y));",
            ),
        ),
    ),
)
