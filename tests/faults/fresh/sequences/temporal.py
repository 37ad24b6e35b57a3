"""Slips along time: weight normalisation, a causal convolution, gates, a frame level of a TDNN, pooled statistics."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

_RESET = """    float sumOfSquares = 0.0;
    for (int inputChannel = 0; inputChannel < uInputChannels; inputChannel++) {
"""

_RESET_INSIDE = """    float sumOfSquares;
    for (int inputChannel = 0; inputChannel < uInputChannels; inputChannel++) {
        sumOfSquares = 0.0;
"""

_BEFORE = """    if (frame < 0) {
        return 0.0;
    }
"""

FAULTS = (
    Planted(
        "gains divided by squared lengths",
        "tcn",
        "weight_scale",
        (Swap("weight_scale.frag", "gain / sqrt(sumOfSquares)", "gain / sumOfSquares"),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "a length begun anew at every input channel",
        "tcn",
        "weight_scale",
        (Swap("weight_scale.frag", _RESET, _RESET_INSIDE),),
        ("missing_channels",),
    ),
    Planted(
        "lags counted from the first tap",
        "tcn",
        "causal",
        (Swap("causal.frag", "int lag = (uKernelSize - 1 - tap) * uDilation;", "int lag = tap * uDilation;"),),
        ("kernel_flip", "index_map"),
    ),
    Planted(
        "a dilation of the layer before",
        "tcn",
        "causal",
        (Swap("pipeline.toml", "uniforms.uDilation = 4", "uniforms.uDilation = 2"),),
        ("dilation", "index_map"),
        in_text=False,
    ),
    Planted(
        "the first frame goes on before the beginning",
        "tcn",
        "causal",
        (Swap("causal.frag", _BEFORE, "    frame = max(frame, 0);\n"),),
        ("padding_mode",),
    ),
    Planted(
        "a window around the frame instead of behind it",
        "tcn",
        "causal",
        (
            Swap("causal.frag", "if (frame < 0) {", "if (frame < 0 || frame >= textureSize(uSequence, 0).x) {"),
            Swap("causal.frag", "int lag = (uKernelSize - 1 - tap) * uDilation;", "int lag = (1 - tap) * uDilation;"),
        ),
        ("shift", "index_map"),
    ),
    Planted(
        "signal and gate change places",
        "tcn",
        "gated",
        (Swap("gated.frag", "tanh(signal) * sigmoid(gate)", "tanh(gate) * sigmoid(signal)"),),
        ("wrong_input", "wrong_partner", "wrong_function", "index_map", "channel_permutation"),
    ),
    Planted(
        "signal and gate taken for neighbours",
        "tcn",
        "gated",
        (
            Swap("gated.frag", "texelFetch(uPair, place, 0)", "texelFetch(uPair, ivec2(place.x, 2 * place.y), 0)"),
            Swap("gated.frag", "ivec2(place.x, place.y + uChannels)", "ivec2(place.x, 2 * place.y + 1)"),
        ),
        ("index_map", "channel_permutation", "wrong_partner", "wrong_layout"),
    ),
    Planted(
        "nothing of the input beside the block",
        "tcn",
        "residual",
        (Swap("residual.frag", "vec4(sum + skip, 0.0, 0.0, 1.0)", "vec4(sum, 0.0, 0.0, 1.0)"),),
        ("bias_missing",),
    ),
    Planted(
        "inputs before outputs in the mixing weights",
        "tcn",
        "residual",
        (
            Swap(
                "residual.frag",
                "outputChannel * uChannels + inputChannel",
                "inputChannel * uChannels + outputChannel",
            ),
        ),
        ("filter_io_swap", "index_map", "wrong_layout"),
    ),
    Planted(
        "a residual sum times the root of a half",
        "tcn",
        "residual",
        (Swap("residual.frag", "vec4(sum + skip, 0.0", "vec4((sum + skip) * sqrt(0.5), 0.0"),),
        ("scale",),
    ),
    Planted(
        "rectified after the batch normalisation",
        "tcn",
        "tdnn",
        (
            Swap(
                "tdnn.frag",
                "    float activated = max(affine(channel, frame * uStride), 0.0);\n"
                "    outColor = vec4(batchNormalize(activated, channel), 0.0, 0.0, 1.0);",
                "    float normalized = batchNormalize(affine(channel, frame * uStride), channel);\n"
                "    outColor = vec4(max(normalized, 0.0), 0.0, 0.0, 1.0);",
            ),
        ),
        ("activation_missing", "activation_extra", "wrong_function"),
    ),
    Planted(
        "every frame of the level before",
        "tcn",
        "tdnn",
        (Swap("tdnn.frag", "affine(channel, frame * uStride)", "affine(channel, frame)"),),
        ("stride", "index_map"),
    ),
    Planted(
        "another framework's epsilon in the frame level",
        "tcn",
        "tdnn",
        (Swap("tdnn.frag", "const float EPSILON = 0.005;", "const float EPSILON = 0.001;"),),
        ("epsilon", "wrong_literal"),
    ),
    Planted(
        "the input's place for a row of weights",
        "tcn",
        "tdnn",
        (
            Swap(
                "tdnn.frag",
                "int row = outputChannel * uInputChannels + inputChannel;",
                "int row = outputChannel * uKernelSize + inputChannel;",
            ),
        ),
        ("filter_offset", "index_map", "wrong_layout"),
    ),
    Planted(
        "a variance of one frame fewer",
        "tcn",
        "pooled",
        (Swap("pooled.frag", "squares / float(uFrames)", "squares / float(uFrames - 1)"),),
        ("average_count", "scale"),
    ),
    Planted(
        "mean and deviation of a channel side by side",
        "tcn",
        "pooled",
        (
            Swap("pooled.frag", "int channel = column % uChannels;", "int channel = column / 2;"),
            Swap("pooled.frag", "column < uChannels ? mean", "column % 2 == 0 ? mean"),
        ),
        ("channel_permutation", "index_map", "wrong_layout"),
    ),
    Planted(
        "deviations from zero instead of the mean",
        "tcn",
        "pooled",
        (Swap("pooled.frag", "ivec2(frame, channel), 0).r - mean;", "ivec2(frame, channel), 0).r;"),),
        ("bias_missing", "wrong_function"),
    ),
)

PAIRS = (
    Planted(
        "gain and shift exchanged, and the last tap of the context left out",
        "tcn",
        "tdnn",
        (
            Swap(
                "tdnn.frag",
                "normalized * getParameter(uBnGain, channel) + getParameter(uBnShift, channel)",
                "normalized * getParameter(uBnShift, channel) + getParameter(uBnGain, channel)",
            ),
            Swap("tdnn.frag", "tap < uKernelSize; tap++", "tap < uKernelSize - 1; tap++"),
        ),
        ("wrong_input", "wrong_partner"),
        ("missing_taps",),
    ),
)
