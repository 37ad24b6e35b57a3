"""Slips in the U-Net: helper functions in an included file, four channels a texel."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_ENCODE, _HALVE, _BOTTOM = "shaders/encode.frag", "shaders/halve.frag", "shaders/bottom.frag"
_ENLARGE, _JOIN, _DECODE = "shaders/enlarge.frag", "shaders/join.frag", "shaders/decode.frag"
_RELU = "result[lane] = max(convolved(channel, place), 0.0);"
_SECOND = "return texelFetch(skipped, corner(channel / 4, SIZE, 2) + place, 0)[channel % 4];"
_LARGEST = """    vec4 upper = max(upper_left, upper_right);
    vec4 lower = max(lower_left, lower_right);
    result = max(upper, lower);"""

FAULTS = (
    Planted(
        "the bias before the loop and after it",
        "unet",
        "enc",
        (
            Swap(
                _ENCODE,
                "max(convolved(channel, place), 0.0)",
                "max(convolved(channel, place) + texelFetch(biases, ivec2(channel, 0), 0).r, 0.0)",
            ),
        ),
        ("bias_doubled", "double_counted"),
    ),
    Planted(
        "the picture's pixels as blue, green, red",
        "unet",
        "enc",
        (Swap(_ENCODE, "texelFetch(source, from, 0).rgb", "texelFetch(source, from, 0).bgr"),),
        ("channel_permutation", "wrong_partner", "index_map"),
    ),
    Planted(
        "the encoder without its relu",
        "unet",
        "enc",
        (Swap(_ENCODE, _RELU, "result[lane] = convolved(channel, place);"),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "a product of two colours out of three",
        "unet",
        "enc",
        (Swap(_ENCODE, "dot(pixel, weights_of(channel, tap).rgb)", "dot(pixel.rg, weights_of(channel, tap).rg)"),),
        ("missing_channels", "dropped_lane"),
    ),
    Planted(
        "the fourth of the pooled texels read at the place of the second",
        "unet",
        "pool",
        (Swap(_HALVE, "from + ivec2(1, 1)", "from + ivec2(1, 0)"),),
        ("missing_taps", "index_map"),
    ),
    Planted(
        "a pool that moves on by one",
        "unet",
        "pool",
        (Swap(_HALVE, "+ 2 * place;", "+ place;"),),
        ("stride", "index_map"),
    ),
    Planted(
        "a mean where the largest is meant",
        "unet",
        "pool",
        (Swap(_HALVE, _LARGEST, "    result = 0.25 * (upper_left + upper_right + lower_left + lower_right);"),),
        ("wrong_function",),
    ),
    Planted(
        "the smaller one of the lower two",
        "unet",
        "pool",
        (Swap(_HALVE, "max(lower_left, lower_right)", "min(lower_left, lower_right)"),),
        ("wrong_function",),
    ),
    Planted(
        "the dilation of rows along columns",
        "unet",
        "mid",
        (Swap(_BOTTOM, "SPREAD = ivec2(1, 2)", "SPREAD = ivec2(2, 1)"),),
        ("dilation", "index_map"),
    ),
    Planted(
        "the elu's alpha left at one",
        "unet",
        "mid",
        (Swap("pipeline.toml", "uniforms.elu_alpha = 0.8", "uniforms.elu_alpha = 1.0"),),
        ("alpha",),
        in_text=False,
    ),
    Planted(
        "an elu that does not take one away",
        "unet",
        "mid",
        (Swap(_BOTTOM, "elu_alpha * (exp(value) - 1.0)", "elu_alpha * exp(value)"),),
        ("wrong_function",),
    ),
    Planted(
        "only the groups that are full",
        "unet",
        "mid",
        (Swap(_BOTTOM, "group < INPUT_GROUPS; group++", "group < 6 / 4; group++"),),
        ("missing_channels",),
    ),
    Planted(
        "the tile of a kernel counted group by group",
        "unet",
        "mid",
        (Swap(_BOTTOM, "corner(channel * INPUT_GROUPS + group, ", "corner(group * OUTPUTS + channel, "),),
        ("filter_offset", "index_map", "filter_io_swap", "wrong_layout", "wrong_partner"),
    ),
    Planted(
        "the kernel of the enlargement turned around",
        "unet",
        "up",
        (Swap(_ENLARGE, "weights_of(channel, group, tap);", "weights_of(channel, group, KERNEL - 1 - tap);"),),
        ("kernel_flip", "index_map", "wrong_partner"),
    ),
    Planted(
        "the padding of the enlargement not added",
        "unet",
        "up",
        (Swap(_ENLARGE, "corner(group, LARGE, 2) + 1;", "corner(group, LARGE, 2);"),),
        ("shift", "index_map"),
    ),
    Planted(
        "one tile of weights for each input of the enlargement",
        "unet",
        "up",
        (Swap(_ENLARGE, "corner(2 * channel + group, ", "corner(channel + group, "),),
        ("filter_offset", "index_map", "wrong_partner"),
    ),
    Planted(
        "the ninth input, alone in its texel, left out",
        "unet",
        "up",
        (Swap(_ENLARGE, "INPUTS = 9", "INPUTS = 8"),),
        ("missing_channels",),
    ),
    Planted(
        "biases of the enlargement by lane",
        "unet",
        "up",
        (
            Swap(
                _ENLARGE,
                "four[lane] = texelFetch(biases, ivec2(channel, 0), 0).r",
                "four[lane] = texelFetch(biases, ivec2(lane, 0), 0).r",
            ),
        ),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "what is enlarged and what is skipped exchanged",
        "unet",
        "both",
        (
            Swap("pipeline.toml", 'textures.enlarged = "up"', 'textures.enlarged = "enc"'),
            Swap("pipeline.toml", 'textures.skipped = "enc"', 'textures.skipped = "up"'),
        ),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "the second input begins at a whole texel",
        "unet",
        "both",
        (Swap(_JOIN, "channel_of_second(channel - FIRST, place)", "channel_of_second(channel - 4, place)"),),
        ("index_map", "channel_permutation", "extra_channels"),
    ),
    Planted(
        "the lane of the target for that of the skipped texel",
        "unet",
        "both",
        (Swap(_JOIN, _SECOND, _SECOND.replace("[channel % 4]", "[(channel + FIRST) % 4]")),),
        ("channel_permutation", "index_map"),
    ),
    Planted(
        "green from the weights of red",
        "unet",
        "mask",
        (Swap(_DECODE, "weights_of(1, group, tap)", "weights_of(0, group, tap)"),),
        ("filter_offset", "index_map", "wrong_partner"),
    ),
    Planted(
        "a decoder's window that begins at its own row",
        "unet",
        "mask",
        (Swap(_DECODE, "place + tap - ivec2(1, 1)", "place + tap - ivec2(1, 0)"),),
        ("shift", "index_map"),
    ),
    Planted(
        "a sigmoid for the mask",
        "unet",
        "mask",
        (Swap(_DECODE, "vec4(tanh(sum), 0.0)", "vec4(1.0 / (1.0 + exp(-sum)), 0.0)"),),
        ("wrong_function",),
    ),
    Planted(
        "the mask held between zero and one",
        "unet",
        "mask",
        (Swap(_DECODE, "tanh(sum)", "clamp(tanh(sum), 0.0, 1.0)"),),
        ("clamped_0_1", "clamped_nonnegative", "activation_extra", "wrong_function"),
    ),
)

PAIRS = (
    Planted(
        "a dilation forgotten in the loop and an elu that keeps its one",
        "unet",
        "mid",
        (
            Swap(_BOTTOM, "origin + tap * SPREAD", "origin + tap"),
            Swap(_BOTTOM, "elu_alpha * (exp(value) - 1.0)", "elu_alpha * exp(value)"),
        ),
        ("dilation", "index_map"),
        others=("wrong_function",),
    ),
)

HEALTHY = (
    Healthy(
        "the largest of four by the diagonals",
        "unet",
        (Swap(_HALVE, _LARGEST, "    result = max(max(lower_right, upper_left), max(upper_right, lower_left));"),),
    ),
    Healthy(
        "the decoder's groups outside and its taps inside",
        "unet",
        (
            Swap(
                _DECODE,
                "    for (int row = 0; row < KERNEL.y; row++) {",
                "    for (int step_ = 26; step_ >= 0; step_--) {\n        int group = step_ % 3, row = step_ / 9;",
            ),
            Swap(
                _DECODE,
                "        for (int column = 0; column < KERNEL.x; column++) {",
                "        {\n            int column = step_ / 3 % 3;",
            ),
            Swap(_DECODE, "            for (int group = 0; group < INPUT_GROUPS; group++) {", "            {"),
        ),
    ),
    Healthy(
        "the bottom's bias first and its dot product written out",
        "unet",
        (
            Swap(_BOTTOM, "    float sum = 0.0;", "    float sum = texelFetch(biases, ivec2(channel, 0), 0).r;"),
            Swap(_BOTTOM, "return sum + texelFetch(biases, ivec2(channel, 0), 0).r;", "return sum;"),
            Swap(
                _BOTTOM,
                "sum += dot(source_at(group, from), weights_of(channel, group, tap));",
                "vec4 a = source_at(group, from) * weights_of(channel, group, tap);\n"
                "                sum += (a.w + a.z) + (a.y + a.x);",
            ),
        ),
    ),
)
