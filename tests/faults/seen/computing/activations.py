"""Plants bugs in activations: left out, added, too early, with another constant."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit, Uniform
from tests.faults.fault import Fault
from tests.faults.models import noise, single
from tests.faults.seen.subjects import convolutions, elements, layers, rows
from tests.faults.subjects import FLAT, PACKED, RGBA, UNPACKED, generated

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a ReLU left out",
        "activation_missing",
        convolutions.conv_relu_fetch,
        (Edit("y_out = max(acc, 0.0);", "y_out = acc;"),),
    ),
    Fault(
        "a leaky ReLU left out",
        "activation_missing",
        elements.batchnorm_tiles,
        (Edit("y = shifted < 0.0 ? shifted * u_slope : shifted;", "y = shifted;"),),
    ),
    Fault(
        "a depthwise convolution without its ReLU",
        "activation_missing",
        convolutions.depthwise_es,
        (Edit("result = max(sum, 0.0);", "result = sum;"),),
    ),
    Fault(
        "a ReLU too many",
        "activation_extra",
        convolutions.conv_tiles,
        (Edit("color = sum + bias;", "color = max(sum + bias, 0.0);"),),
        alternatives=("clamped_nonnegative",),  # the same function of the same values
    ),
    Fault(
        "a hyperbolic tangent too many",
        "activation_extra",
        convolutions.conv_rgba,
        (Edit("result = total;", "result = tanh(total);"),),
    ),
    Fault(
        "a sigmoid too many",
        "activation_extra",
        lambda: generated(models.conv((1, 3, 6, 7), 5), "tfjs_unpacked"),
        (Edit("return sum;", "return 1.0 / (1.0 + exp(-sum));"),),
    ),
    Fault(
        "a gate behind four sums",
        "activation_extra",
        layers.conv_rgba,
        (Edit("    return sum;", "    return sum / (1.0 + exp(-sum));"),),
    ),
    Fault(
        "an error function's gate behind a matrix product",
        "activation_extra",
        lambda: generated(models.gemm(), PACKED),
        (
            Edit(
                "    return sum;",
                "    return 0.5 * sum * (1.0 + tanh(0.7978845608 * (sum + 0.044715 * sum * sum * sum)));",
            ),
        ),
    ),
    Fault(
        "a leaky ReLU behind a batch normalisation that has none",
        "activation_extra",
        lambda: generated(models.batch_norm(), RGBA),
        (
            Edit(
                "return (X(at) - MEAN_linear(c)) * factor + BIAS_linear(c);",
                "float y = (X(at) - MEAN_linear(c)) * factor + BIAS_linear(c);\n    return max(y, 0.1 * y);",
            ),
        ),
    ),
    Fault(
        "a pool that starts at zero",
        "activation_extra",
        lambda: generated(models.pool("MaxPool", (1, 3, 6, 7), 2, pads=(0, 0, 0, 0)), UNPACKED),
        (Edit("return largest;", "return max(largest, 0.0);"),),
        where=("return result(",),
        alternatives=("clamped_nonnegative",),  # the same function of the same values
    ),
    Fault(
        "an input that is rectified first",
        "activation_extra",
        lambda: generated(models.conv((1, 3, 5, 6), 4), FLAT),
        (
            Edit(
                "sum += X(ivec4(at.x, first_channel + i, y, x)) *",
                "sum += max(X(ivec4(at.x, first_channel + i, y, x)), 0.0) *",
            ),
        ),
        alternatives=("clamped_nonnegative",),  # the same function of the same values
    ),
    Fault(
        "a sigmoid twice",
        "activation_extra",
        lambda: generated(models.pointwise("Sigmoid"), RGBA),
        (Edit("return unary(X(at));", "return unary(unary(X(at)));"),),
        where=("return sigmoid(x);", "exp("),
    ),
    Fault(
        "a hyperbolic tangent in place of a sigmoid",
        "wrong_function",
        lambda: generated(models.pointwise("Sigmoid"), FLAT),
        (Edit("return sigmoid(x);", "return tanh(x);"),),
        alternatives=("activation_missing",),  # it takes the sigmoid's place
    ),
    Fault(
        "magnitudes behind a mean",
        "activation_extra",
        lambda: generated(models.pool("AveragePool", (1, 3, 6, 7), 2, pads=(0, 0, 0, 0)), PACKED),
        (
            Edit(
                "return sum / float(COUNT_PADDING ? taps : count);",
                "return abs(sum) / float(COUNT_PADDING ? taps : count);",
            ),
        ),
        where=("return result(",),
    ),
    Fault(
        "an exponential unit behind a transposed convolution",
        "activation_extra",
        layers.deconv_rgba,
        (Edit("    return sum;", "    return mix(exp(min(sum, 0.0)) - 1.0, sum, step(vec4(0.0), sum));"),),
    ),
    Fault(
        "a hard sigmoid behind a matrix product",
        "activation_extra",
        layers.matmul,
        (Edit("    return sum;", "    return clamp(sum * 0.2 + 0.5, 0.0, 1.0);"),),
    ),
    Fault(
        "a ReLU in place of a leaky one, and its bias before",
        "wrong_function",
        convolutions.conv_macros,
        (Edit("y = sum > 0.0 ? sum : 0.2 * sum;", "y = 1.0 / (1.0 + exp(-sum));"),),
        alternatives=("activation_missing",),  # it takes the leaky one's place
    ),
    Fault(
        "a softened ReLU behind a sum of two",
        "activation_extra",
        lambda: generated(models.binary("Add"), FLAT),
        (Edit("return a + b;", "return log(1.0 + exp(a + b));"),),
    ),
    Fault(
        "a gate after a matrix product that has none",
        "activation_extra",
        lambda: generated(single("MatMul", (2, 4, 5), {"w": noise(5, 6, seed=1)}), "channel_tiles_rgba"),
        (Edit("    return sum;", "    return sum / (1.0 + exp(-sum));"),),
    ),
    Fault(
        "the bias after the ReLU",
        "activation_before_bias",
        convolutions.conv_relu_fetch,
        (
            Edit(
                "    acc += texelFetch(u_b, ivec2(o, 0), 0).r;\n    y_out = max(acc, 0.0);",
                "    y_out = max(acc, 0.0) + texelFetch(u_b, ivec2(o, 0), 0).r;",
            ),
        ),
    ),
    Fault(
        "the shift after the leaky ReLU",
        "activation_before_bias",
        elements.batchnorm_tiles,
        (
            Edit(
                "y = shifted < 0.0 ? shifted * u_slope : shifted;",
                "y = (scaled < 0.0 ? scaled * u_slope : scaled) + shifted - scaled;",
            ),
        ),
    ),
    Fault(
        "a leaky ReLU of the products and the bias after it",
        "activation_before_bias",
        convolutions.conv_macros,
        (
            Edit("float sum = texelFetch(u_b, ivec2(o, 0), 0).r;", "float sum = 0.0;"),
            Edit(
                "y = sum > 0.0 ? sum : 0.2 * sum;",
                "y = (sum > 0.0 ? sum : 0.2 * sum) + texelFetch(u_b, ivec2(o, 0), 0).r;",
            ),
        ),
    ),
    Fault(
        "a leaky ReLU ten times too steep",
        "alpha",
        elements.batchnorm_tiles,
        (Uniform("u_slope", 0.02),),
        {"got": 0.02},
        ("y = shifted < 0.0",),
    ),
    Fault(
        "the default slope instead of the model's",
        "alpha",
        lambda: generated(models.pointwise("LeakyRelu", alpha=0.1), "channel_tiles_rgba"),
        (Edit("const float ALPHA = 0.100000001;", "const float ALPHA = 0.01;"),),
        {"got": 0.01},
        ("return x < 0.0 ? ALPHA",),
    ),
    Fault(
        "a slope of a third where three tenths were meant",
        "alpha",
        elements.leaky_uv,
        (Edit("const float SLOPE = 0.3;", "const float SLOPE = 0.33;"),),
        {"got": 0.33},
        ("color = x > 0.0",),
    ),
    Fault(
        "a threshold of 0.37",
        "alpha",
        lambda: generated(single("ThresholdedRelu", (1, 5, 6, 7), alpha=0.75)),
        (Edit("ALPHA = 0.75;", "ALPHA = 0.37;"),),
        {"expected": 0.75},
    ),
    Fault(
        "the offset of a hard sigmoid",
        "alpha",
        lambda: generated(single("HardSigmoid", (1, 5, 6, 7), alpha=0.25, beta=0.5), "tfjs_packed"),
        (Edit("BETA = 0.5;", "BETA = 0.43;"),),
        {"got": 0.43},
    ),
    Fault(
        "another power of a local response",
        "alpha",
        lambda: generated(single("LRN", (1, 5, 6, 7), size=3, alpha=0.3, beta=0.75, bias=1.0), "channel_tiles_rgba"),
        (Edit("BETA = 0.75;", "BETA = 0.85;"),),
        {"got": 0.85},
    ),
    Fault(
        "a cap at 5 in place of 6",
        "alpha",
        convolutions.depthwise_unrolled,
        (Edit("clamp(acc, 0.0, 6.0)", "clamp(acc, 0.0, 4.5)"),),
        {"got": 4.5},
    ),
    Fault(
        "a dense layer's leak of a tenth",
        "alpha",
        rows.flatten_dense,
        (Edit("LEAK = 0.05;", "LEAK = 0.17;"),),
        {"got": 0.17},
        ("y = total",),
    ),
    Fault(
        "slopes of the channel behind",
        "alpha",
        elements.residual_prelu,
        (Edit("ivec2(o % 3, o / 3)", "ivec2((o + 1) % OUTPUTS % 3, (o + 1) % OUTPUTS / 3)"),),
        where=("float slope =",),
    ),
    Fault(
        "an exponential unit with the default alpha",
        "alpha",
        lambda: generated(single("Elu", (1, 5, 6, 7), alpha=1.3), "tfjs_unpacked"),
        (Edit("const float ALPHA = 1.29999995;", "const float ALPHA = 1.0;"),),
        {"got": 1.0},
        ("return x < 0.0 ? ALPHA",),
    ),
    Fault(
        "the fourth lane not activated",
        "activation_missing",
        elements.leaky_uv_rgba,
        (
            Edit(
                "    color = mix(x * SLOPE, x, step(vec4(0.0), x));",
                "    color = vec4(mix(x * SLOPE, x, step(vec4(0.0), x)).rgb, x.a);",
            ),
        ),
    ),
    Fault(
        "a concatenated ReLU whose second half is not one",
        "activation_missing",
        elements.crelu_rgba,
        (Edit("negative = max(-value, 0.0);", "negative = -value;"),),
        where=("color = at.x",),
    ),
    Fault(
        "a concatenated ReLU without its minus",
        "activation_missing",
        elements.crelu_rgba,
        (Edit("negative = max(-value, 0.0);", "negative = max(value, 0.0);"),),
        {"activation": "Neg"},
        where=("color = at.x",),
    ),
    Fault(
        "a root left out",
        "activation_missing",
        lambda: generated(models.pointwise("Sqrt"), RGBA),
        (Edit("return unary(X(at));", "return X(at);"),),
        {"activation": "Sqrt"},
    ),
    Fault(
        "another activation of the last channels",
        "wrong_function",
        convolutions.conv_relu_fetch,
        (Edit("y_out = max(acc, 0.0);", "y_out = o > 2 ? tanh(acc) : max(acc, 0.0);"),),
        {"function": "Tanh", "expected": "Relu"},
    ),
    Fault(
        "a ramp in place of a ReLU",
        "wrong_function",
        convolutions.conv_relu_fetch,
        (Edit("y_out = max(acc, 0.0);", "y_out = clamp(0.3 * acc + 0.25, 0.0, 0.8);"),),
        {"function": "0.3 x + 0.25, from 0 up to 0.8"},
    ),
    Fault(
        "the border activated otherwise",
        "wrong_function",
        elements.leaky_uv,
        (
            Edit(
                "color = x > 0.0 ? x : x * SLOPE;",
                "ivec2 at = ivec2(gl_FragCoord.xy) % ivec2(7, 6);\n"
                "    bool inside = all(greaterThan(at, ivec2(0))) && all(lessThan(at, ivec2(6, 5)));\n"
                "    color = x > 0.0 ? x : inside ? x * SLOPE : 0.0;",
            ),
        ),
        {"function": "Relu", "part": "the border"},
    ),
    Fault(
        "a shift taken away instead of added",
        "wrong_function",
        elements.scale_shift_es,
        (Edit("color = x * factor + shift;", "color = x * factor - shift;"),),
        {"function": "a - b", "expected": "Add"},
    ),
    Fault(
        "a normalisation divided by its variance",
        "activation_missing",
        rows.layernorm_getx,
        (Edit("/ sqrt(variance + epsilon);", "/ (variance + epsilon);"),),
        {"activation": "Sqrt"},
    ),
)
