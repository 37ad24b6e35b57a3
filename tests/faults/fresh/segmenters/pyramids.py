"""Slips in an atrous pyramid of one channel a tile: rates, branches, pooled context, resize, labels."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS = (
    Planted(
        "a tenth of the slope",
        "aspp",
        "stem",
        (Swap("pipeline.toml", "uniforms.uSlope = 0.1", "uniforms.uSlope = 0.01"),),
        ("alpha",),
        in_text=False,
    ),
    Planted(
        "one column too many inside of a tile",
        "aspp",
        "stem",
        (Swap("atlas.glsl", "position.x < tileSize.x &&", "position.x <= tileSize.x &&"),),
        ("tile_bleed",),
    ),
    Planted(
        "five filters in rows of two",
        "aspp",
        "stem",
        (Swap("stem.frag", "const int FILTER_COLUMNS = 3;", "const int FILTER_COLUMNS = 2;"),),
        ("filter_offset", "wrong_layout", "index_map"),
    ),
    Planted(
        "one depthwise kernel for all channels",
        "aspp",
        "separable",
        (Swap("separable.frag", "tileOrigin(channel, uKernelColumns", "tileOrigin(0, uKernelColumns"),),
        ("filter_offset", "index_map"),
    ),
    Planted(
        "a depthwise rate of one",
        "aspp",
        "separable",
        (Swap("separable.frag", "position + uRate * ivec2(dx, dy)", "position + ivec2(dx, dy)"),),
        ("dilation", "index_map"),
    ),
    Planted(
        "a ReLU without its six",
        "aspp",
        "separable",
        (Swap("separable.frag", "return min(max(value, 0.0), 6.0);", "return max(value, 0.0);"),),
        ("alpha", "wrong_function", "activation_missing"),
    ),
    Planted(
        "divided by the variance",
        "aspp",
        "separable",
        (Swap("separable.frag", "/ sqrt(variance + uEpsilon)", "/ (variance + uEpsilon)"),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "the middle tap begins the sum and comes again",
        "aspp",
        "separable",
        (
            Swap(
                "separable.frag",
                "    float sum = 0.0;",
                "    float middle = texelFetch(uKernels, kernelCorner + 1, 0).r;\n"
                "    float sum = middle * readChannel(uFeatures, channel, uColumns, uSize, position);",
            ),
        ),
        ("double_counted",),
    ),
    Planted(
        "a wide rate with the padding of a narrow one",
        "aspp",
        "atrous",
        (Swap("atrous.frag", "position + uRate * (tap - 1)", "position + uRate * tap - 1"),),
        ("shift", "index_map"),
    ),
    Planted(
        "a bias for every input",
        "aspp",
        "atrous",
        (
            Swap("atrous.frag", "    total += texelFetch(uBias, ivec2(outputChannel, 0), 0).r;\n", ""),
            Swap(
                "atrous.frag",
                "        total += convolve(outputChannel, inputChannel, position);\n",
                "        total += convolve(outputChannel, inputChannel, position);\n"
                "        total += texelFetch(uBias, ivec2(outputChannel, 0), 0).r;\n",
            ),
        ),
        ("bias_doubled", "double_counted"),
    ),
    Planted(
        "each input channel over the one before",
        "aspp",
        "atrous",
        (Swap("atrous.frag", "total += convolve(", "total = convolve("),),
        ("missing_channels",),
    ),
    Planted(
        "the square of the width for the area",
        "aspp",
        "context",
        (Swap("context.frag", "float(uSize.x * uSize.y)", "float(uSize.x * uSize.x)"),),
        ("average_count", "scale"),
    ),
    Planted(
        "as many rows as columns in a mean",
        "aspp",
        "context",
        (Swap("context.frag", "y < uSize.y", "y < uSize.x"),),
        ("missing_taps",),
    ),
    Planted(
        "outputs of an input one after the other",
        "aspp",
        "context",
        (
            Swap(
                "context.frag",
                "int row = outputChannel * uInputChannels + inputChannel;",
                "int row = inputChannel * 11 + outputChannel;",
            ),
        ),
        ("filter_io_swap", "wrong_layout", "filter_offset", "index_map"),
    ),
    Planted(
        "a mean's sum outside of its function",
        "aspp",
        "context",
        (
            Swap(
                "context.frag",
                "float globalMean(int channel) {\n    float sum = 0.0;\n",
                "float sum = 0.0;\n\nfloat globalMean(int channel) {\n",
            ),
        ),
        ("accumulator_not_reset",),
    ),
    Planted(
        "what came before the depthwise layer pooled",
        "aspp",
        "context",
        (
            Swap(
                "pipeline.toml",
                'textures.uFeatures = "separable"\ntextures.uWeights',
                'textures.uFeatures = "stem"\ntextures.uWeights',
            ),
        ),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "weights of the second branch for the third",
        "aspp",
        "project",
        (Swap("project.frag", "    offset += uChannels.y;\n", ""),),
        ("filter_offset", "wrong_partner", "index_map"),
    ),
    Planted(
        "one pooled channel for all of them",
        "aspp",
        "project",
        (Swap("project.frag", "readChannel(uContext, c,", "readChannel(uContext, 0,"),),
        ("index_map", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "pixels by their corners when enlarged",
        "aspp",
        "enlarged",
        (
            Swap(
                "enlarged.frag",
                "(vec2(position) + 0.5) * vec2(uSmall) / vec2(uLarge) - 0.5",
                "vec2(position) * vec2(uSmall) / vec2(uLarge)",
            ),
        ),
        ("half_texel", "index_map"),
    ),
    Planted(
        "logits that fade out at the border",
        "aspp",
        "enlarged",
        (Swap("enlarged.frag", "uColumns, uSmall, held)", "uColumns, uSmall, position)"),),
        ("padding_mode",),
    ),
    Planted(
        "an upper row mixed from right to left",
        "aspp",
        "enlarged",
        (Swap("enlarged.frag", "mix(topLeft, topRight, blend.x)", "mix(topRight, topLeft, blend.x)"),),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "labels from the bottom to the top",
        "aspp",
        "labels",
        (
            Swap(
                "labels.frag",
                "    ivec2 position = ivec2(gl_FragCoord.xy);\n",
                "    ivec2 position = ivec2(gl_FragCoord.xy);\n    position.y = uSize.y - 1 - position.y;\n",
            ),
        ),
        ("flip_y", "index_map"),
    ),
    Planted(
        "labels as shares of a byte",
        "aspp",
        "labels",
        (Swap("labels.frag", "outLabel = float(best);", "outLabel = float(best) / 255.0;"),),
        ("scale",),
    ),
)

PAIRS = (
    Planted(
        "depthwise kernels turned around, epsilon beside the root",
        "aspp",
        "separable",
        (
            Swap("separable.frag", "ivec2(dx + 1, dy + 1)", "ivec2(1 - dx, 1 - dy)"),
            Swap("separable.frag", "/ sqrt(variance + uEpsilon)", "/ (sqrt(variance) + uEpsilon)"),
        ),
        ("kernel_flip", "index_map"),
        ("epsilon",),
    ),
    Planted(
        "a branch one channel short, and biases from the last",
        "aspp",
        "project",
        (
            Swap("project.frag", "c < uChannels.y;", "c < uChannels.y - 1;"),
            Swap("project.frag", "ivec2(outputChannel, 0)", "ivec2(5 - outputChannel, 0)"),
        ),
        ("missing_channels",),
        ("bias_offset", "index_map", "flip_x", "channel_permutation"),
    ),
)
