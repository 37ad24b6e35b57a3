"""Plants bugs in activations: left out, added, too early, with another constant."""

from __future__ import annotations

from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import convolutions, elements, rows
from tests.faults.models import noise, single
from tests.faults.subjects import generated

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a leaky ReLU left out of generated code",
        "activation_missing",
        convolutions.conv_getx,
        (Edit("  result = result < 0.0 ? 0.2 * result : result;\n", ""),),
        where=("outputValue = result;",),
    ),
    Fault(
        "a batch's convolution without its ReLU",
        "activation_missing",
        convolutions.conv_relu_unpacked,
        (Edit("texelFetch(t_b, ivec2(o, 0), 0).r, 0.0);", "texelFetch(t_b, ivec2(o, 0), 0).r, -3.0e38);"),),
    ),
    Fault(
        "a leaky ReLU that never leaks",
        "activation_missing",
        convolutions.conv_rows_uv,
        (Edit("y = mix(total, 0.2 * total, float(total < 0.0));", "y = total;"),),
    ),
    Fault(
        "a matrix product cut at zero",
        "activation_extra",
        rows.gemm_blocks,
        (Edit("setOutput = result + c.rgrg;", "setOutput = max(result + c.rgrg, vec4(0.0));"),),
        alternatives=("clamped_nonnegative",),  # the same function of the same values
    ),
    Fault(
        "a leaky ReLU where there is none",
        "activation_extra",
        convolutions.conv_flat,
        (
            Edit(
                "return total + get(biases, feature);",
                "total += get(biases, feature);\n    return total > 0.0 ? total : 0.2 * total;",
            ),
        ),
    ),
    Fault(
        "a hyperbolic tangent at the end of a gradient",
        "activation_extra",
        convolutions.deconv_getdy,
        (
            Edit(
                "outputValue = dotProd + texelFetch(bias, ivec2(d2, 0), 0).r;",
                "outputValue = tanh(dotProd + texelFetch(bias, ivec2(d2, 0), 0).r);",
            ),
        ),
    ),
    Fault(
        "a matrix product that is made positive",
        "activation_extra",
        lambda: generated(single("Gemm", (4, 6), {"w": noise(6, 5, seed=1), "b": noise(5, seed=2)}), "row_major_rgba"),
        (Edit("    return sum;", "    return max(sum, 0.0);"),),
        alternatives=("clamped_nonnegative",),  # the same function of the same values
    ),
    Fault(
        "the activation before the bias in generated code",
        "activation_before_bias",
        convolutions.conv_getx,
        (
            Edit(
                "  result = result + getBias(d2);\n  result = result < 0.0 ? 0.2 * result : result;",
                "  result = result < 0.0 ? 0.2 * result : result;\n  result = result + getBias(d2);",
            ),
        ),
    ),
    Fault(
        "a ReLU before the bias, for a batch",
        "activation_before_bias",
        convolutions.conv_relu_unpacked,
        (
            Edit(
                "y = max(s + texelFetch(t_b, ivec2(o, 0), 0).r, 0.0);",
                "y = max(s, 0.0) + texelFetch(t_b, ivec2(o, 0), 0).r;",
            ),
        ),
    ),
    Fault(
        "a ReLU before a normalisation's shift",
        "activation_before_bias",
        elements.batchnorm_rgba,
        (Edit("color = max(shifted, vec4(0.0));", "color = max(scaled, vec4(0.0)) + four(beta, channel);"),),
    ),
    Fault(
        "slopes of PReLU by row",
        "alpha",
        elements.prelu_tiles,
        (Edit("ivec2(channel % slope_columns, channel / slope_columns)", "ivec2(0, 0)"),),
        where=("activated = ",),
        alternatives=("bias_offset", "wrong_input"),  # the slope is a parameter a channel, read at another channel
        seen_at="tfjs PR 6365",
    ),
    Fault(
        "a steeper slope in generated code",
        "alpha",
        convolutions.conv_getx,
        (Edit("0.2 * result : result;", "0.3 * result : result;"),),
        {"got": 0.3},
    ),
    Fault(
        "alpha of a response for each channel instead of for all",
        "alpha",
        elements.lrn_tiles,
        (Edit("ALPHA / float(SPAN) * energy", "ALPHA * energy"),),
    ),
    Fault(
        "half the slope",
        "alpha",
        convolutions.conv_rows_uv,
        (Edit("0.2 * total", "0.1 * total"),),
        {"got": 0.1},
    ),
)
