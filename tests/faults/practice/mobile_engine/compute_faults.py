"""Slips in the compute shaders of `compute`: buffers packed by four, shared memory, sums by halves."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS = (
    Planted(
        name="the tile's rows as far apart as the group",
        target="compute",
        culprit="conv",
        swaps=(
            Swap(
                "conv3x3_pack1to4.comp",
                "sum += tile[(ly + y) * TILE + lx + x]",
                "sum += tile[(ly + y) * LOCAL + lx + x]",
            ),
        ),
        causes=("index_map", "wrong_partner"),
    ),
    Planted(
        name="the tile begins at the group's corner",
        target="compute",
        culprit="conv",
        swaps=(Swap("conv3x3_pack1to4.comp", "gl_WorkGroupID.x) * LOCAL - 1;", "gl_WorkGroupID.x) * LOCAL;"),),
        causes=("shift",),
    ),
    Planted(
        name="only as many places as invocations",
        target="compute",
        culprit="conv",
        swaps=(
            Swap(
                "conv3x3_pack1to4.comp",
                "for (int i = li; i < TILE * TILE; i += LOCAL * LOCAL) {",
                "for (int i = li; i < LOCAL * LOCAL; i += LOCAL * LOCAL) {",
            ),
        ),
        causes=("missing_taps", "unwritten_texels"),
    ),
    Planted(
        name="border of a row alone",
        target="compute",
        culprit="conv",
        swaps=(
            Swap(
                "conv3x3_pack1to4.comp",
                "if (sx >= 0 && sx < p.w && sy >= 0 && sy < p.h)",
                "if (sx >= 0 && sy >= 0 && sy < p.h)",
            ),
        ),
        causes=("padding_mode", "tile_bleed", "index_map"),
    ),
    Planted(
        name="no barrier before the tile is filled again",
        target="compute",
        culprit="conv",
        swaps=(
            Swap(
                "conv3x3_pack1to4.comp",
                "            }\n        }\n        barrier();\n    }\n",
                "            }\n        }\n    }\n",
            ),
        ),
        causes=("missing_barrier",),
    ),
    Planted(
        name="weights of the first four outputs",
        target="compute",
        culprit="conv",
        swaps=(
            Swap("conv3x3_pack1to4.comp", "const int woff = (gz * p.channels + q) * 9;", "const int woff = q * 9;"),
        ),
        causes=("filter_offset", "index_map", "wrong_partner"),
    ),
    Planted(
        name="the kernel's columns first",
        target="compute",
        culprit="conv",
        swaps=(Swap("conv3x3_pack1to4.comp", "weight_data[woff + y * 3 + x]", "weight_data[woff + x * 3 + y]"),),
        causes=("kernel_transpose",),
    ),
    Planted(
        name="channels as long as an output's",
        target="compute",
        culprit="conv",
        swaps=(
            Swap(
                "conv3x3_pack1to4.comp",
                "bottom_blob_data[(q * p.h + sy) * p.w + sx]",
                "bottom_blob_data[(q * p.w + sy) * p.w + sx]",
            ),
        ),
        causes=("index_map", "shift", "wrong_layout", "wrong_partner"),
    ),
    Planted(
        name="fewer groups than the output needs",
        target="compute",
        culprit="conv",
        swaps=(
            Swap(
                "pipeline.toml",
                'dispatch = ["shape(conv).w / 4", "shape(conv).h / 4", 2]',
                'dispatch = [2, "shape(conv).h / 4", 2]',
            ),
        ),
        causes=("unwritten_texels", "viewport_mismatch"),
        in_text=False,
    ),
    Planted(
        name="a plane of the output's size",
        target="compute",
        culprit="dw",
        swaps=(Swap("convdw_pack4.comp", "int plane = gz * p.w * p.h;", "int plane = gz * p.outw * p.outh;"),),
        causes=("index_map", "channel_permutation", "shift", "wrong_layout", "wrong_partner"),
    ),
    Planted(
        name="the stride left at one",
        target="compute",
        culprit="dw",
        swaps=(
            Swap(
                "pipeline.toml",
                "specialization = { stride_w = 2, stride_h = 2,",
                "specialization = { stride_w = 2, stride_h = 1,",
            ),
        ),
        causes=("stride",),
        in_text=False,
    ),
    Planted(
        name="one weight for the four channels",
        target="compute",
        culprit="dw",
        swaps=(
            Swap("convdw_pack4.comp", "* weight_data[gz * 9 + y * 3 + x];", "* weight_data[gz * 9 + y * 3 + x].x;"),
        ),
        causes=("filter_offset", "index_map", "wrong_partner"),
    ),
    Planted(
        name="a gate by whole numbers",
        target="compute",
        culprit="dw",
        swaps=(Swap("convdw_pack4.comp", "clamp(sum * 0.16666667 + 0.5,", "clamp(sum * float(1 / 6) + 0.5,"),),
        causes=("wrong_function", "alpha", "scale"),
    ),
    Planted(
        name="the halves begin too late",
        target="compute",
        culprit="squeeze",
        swaps=(Swap("global_avgpool.comp", "for (int step = THREADS / 2;", "for (int step = THREADS / 4;"),),
        causes=("missing_taps", "missing_channels"),
    ),
    Planted(
        name="the halves end too early",
        target="compute",
        culprit="squeeze",
        swaps=(Swap("global_avgpool.comp", "step > 0; step /= 2", "step > 1; step /= 2"),),
        causes=("missing_taps", "missing_channels"),
    ),
    Planted(
        name="only the first round of places",
        target="compute",
        culprit="squeeze",
        swaps=(
            Swap(
                "global_avgpool.comp",
                "for (int i = t; i < p.size; i += THREADS)",
                "for (int i = t; i < THREADS; i += THREADS)",
            ),
        ),
        causes=("missing_taps", "missing_channels"),
    ),
    Planted(
        name="a mean over the invocations",
        target="compute",
        culprit="squeeze",
        swaps=(Swap("global_avgpool.comp", "/ float(p.size);", "/ float(THREADS);"),),
        causes=("average_count", "scale"),
    ),
    Planted(
        name="every invocation adds its neighbour",
        target="compute",
        culprit="squeeze",
        swaps=(
            Swap(
                "global_avgpool.comp",
                "if (t < step) partial[t] += partial[t + step];",
                "if (t < step) partial[t] += partial[t + 1];",
            ),
        ),
        causes=("index_map", "missing_taps", "double_counted", "missing_channels"),
    ),
    Planted(
        name="the first lane stored four times",
        target="compute",
        culprit="squeeze",
        swaps=(Swap("global_avgpool.comp", "partial[0][t] / float", "partial[0].x / float"),),
        causes=("channel_permutation", "index_map"),
    ),
    Planted(
        name="seven of eight products",
        target="compute",
        culprit="fc",
        swaps=(Swap("innerproduct.comp", "for (int i = 0; i < 8; i++) sum", "for (int i = 1; i < 8; i++) sum"),),
        causes=("missing_channels",),
    ),
    Planted(
        name="a bias of every partial sum",
        target="compute",
        culprit="fc",
        swaps=(Swap("innerproduct.comp", "float part = 0.0;", "float part = bias_data[row];"),),
        causes=("bias_doubled",),
    ),
    Planted(
        name="weights by their columns",
        target="compute",
        culprit="fc",
        swaps=(Swap("innerproduct.comp", "weight_data[row * p.num_input + i]", "weight_data[i * p.num_output + row]"),),
        causes=("filter_io_swap", "wrong_layout", "index_map", "wrong_partner"),
    ),
    Planted(
        name="idle invocations add one",
        target="compute",
        culprit="prob",
        swaps=(Swap("softmax.comp", "exp(value - largest) : 0.0;", "exp(value - largest) : 1.0;"),),
        causes=("extra_channels", "scale", "unexplained"),
    ),
    Planted(
        name="the powers of what was not lowered, divided by a lowered sum",
        target="compute",
        culprit="prob",
        swaps=(Swap("softmax.comp", "y[t] = power / total;", "y[t] = exp(value) / total;"),),
        causes=("scale", "wrong_function"),
    ),
    Planted(
        name="a sum by its own value in place of the halves",
        target="compute",
        culprit="prob",
        swaps=(
            Swap("softmax.comp", "if (t < s) scratch[t] += scratch[t + s];", "if (t < s) scratch[t] = scratch[t + s];"),
        ),
        causes=("missing_channels", "wrong_function", "inf_source"),
    ),
)

PAIRS = (
    Planted(
        name="a turned kernel, and no bias",
        target="compute",
        culprit="conv",
        swaps=(
            Swap("conv3x3_pack1to4.comp", "weight_data[woff + y * 3 + x]", "weight_data[woff + x * 3 + y]"),
            Swap("conv3x3_pack1to4.comp", "vec4 sum = bias_data[gz];", "vec4 sum = vec4(0.0);"),
        ),
        causes=("kernel_transpose",),
        others=("bias_missing",),
    ),
)

HEALTHY = (
    Healthy(
        name="sums by halves of an inner product",
        target="compute",
        swaps=(
            Swap(
                "innerproduct.comp",
                "    if (lane == 0u && row < p.num_output) {\n",
                "    for (uint span = 4u; span > 0u; span >>= 1) {\n"
                "        if (lane < span) products[lane] += products[lane + span];\n"
                "        barrier();\n"
                "    }\n"
                "    if (lane == 0u && row < p.num_output) {\n",
            ),
            Swap("innerproduct.comp", "for (int i = 0; i < 8; i++) sum += products[i];", "sum += products[0];"),
        ),
    ),
    Healthy(
        name="two rounds a barrier in the tile",
        target="compute",
        swaps=(
            Swap("conv3x3_pack1to4.comp", "            float v = 0.0;\n", ""),
            Swap(
                "conv3x3_pack1to4.comp",
                "            if (sx >= 0 && sx < p.w && sy >= 0 && sy < p.h)\n"
                "                v = bottom_blob_data[(q * p.h + sy) * p.w + sx];\n"
                "            tile[i] = v;\n",
                "            const bool inside = uint(sx) < uint(p.w) && uint(sy) < uint(p.h);\n"
                "            tile[i] = inside ? bottom_blob_data[q * p.w * p.h + sy * p.w + sx] : 0.0;\n",
            ),
        ),
    ),
)
