"""Plants bugs in biases: forgotten, added twice, those of other channels."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit, Weights
from tests.faults.fault import Fault
from tests.faults.models import conv_of
from tests.faults.seen.subjects import convolutions, elements, layers, rows
from tests.faults.subjects import FLAT, PACKED, UNPACKED, generated

LANE_BIAS = "sum[lane] += B(ivec4(0, 0, 0, o[lane]));"

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a skip connection that is fetched and not added",
        "bias_missing",
        elements.residual_prelu,
        (Edit("float before = sum + skip;", "float before = sum;"),),
        {"bias": "skip"},
        where=("before >= 0.0",),
    ),
    Fault(
        "a bias that is read and not added",
        "bias_missing",
        convolutions.conv_tiles,
        (Edit("color = sum + bias;", "color = sum;"),),
    ),
    Fault(
        "a bias never read",
        "bias_missing",
        lambda: generated(models.conv((1, 3, 6, 7), 5), "tfjs_packed"),
        (Edit("    sum += B(ivec4(0, 0, 0, at.y));\n", ""),),
        where=("return sum;",),
    ),
    Fault(
        "a matrix product without its row",
        "bias_missing",
        rows.gemm_flat,
        (Edit("return sum + element(C, column);", "return sum;"),),
    ),
    Fault(
        "a matrix product without biases between 0 and 1",
        "bias_missing",
        lambda: generated(models.gemm(1, 64, 100, scale=0.1, shift=0.5), UNPACKED),
        (Edit("sum += BETA * C(min(at, C_shape - 1));", ""),),
        where=("return sum;",),
    ),
    Fault(
        "the last lane of four without its bias",
        "bias_missing",
        layers.conv_rgba,
        (
            Edit(
                "for (int lane = 0; lane < 4; lane++) sum[lane] +=", "for (int lane = 0; lane < 3; lane++) sum[lane] +="
            ),
        ),
        where=("return sum;",),
    ),
    Fault(
        "biases of the first group of four alone",
        "bias_missing",
        layers.conv_rgba,
        (Edit(LANE_BIAS, f"if (at.y < 4) {LANE_BIAS}"),),
        where=("return sum;",),
    ),
    Fault(
        "a batch normalisation without its shift, unpacked",
        "bias_missing",
        lambda: generated(models.batch_norm(), UNPACKED),
        (Edit("* factor + BIAS_linear(c);", "* factor;"),),
    ),
    Fault(
        "an instance normalisation without its shift",
        "bias_missing",
        layers.instance_norm,
        (Edit("    y += B_linear(parameter_of(index));\n", ""),),
        where=("return y;",),
    ),
    Fault(
        "a matrix product without its row, in tiles",
        "bias_missing",
        lambda: generated(models.gemm()),
        (Edit("    sum += BETA * C(min(at, C_shape - 1));\n", ""),),
        where=("return sum;",),
    ),
    Fault(
        "the second picture's biases forgotten",
        "bias_missing",
        lambda: generated(conv_of((2, 3, 5, 6), (4, 3, 1, 1)), FLAT),
        (Edit("sum += B(", "if (at.x == 0) sum += B("),),
        where=("return sum;",),
    ),
    Fault(
        "a constant that is not added",
        "bias_missing",
        layers.added,
        (Edit("return a + b;", "return a;"),),
        where=("return binary(",),
    ),
    Fault(
        "a transposed convolution without its biases",
        "bias_missing",
        layers.deconv_rgba,
        (Edit("sum[lane] += B(ivec4(0, 0, 0, min(at.y + lane, OUTPUT_CHANNELS - 1)));", ";"),),
        where=("return sum;",),
    ),
    Fault(
        "a layer normalisation without its beta",
        "bias_missing",
        rows.layernorm_getx,
        (Edit("normal * getGamma(rc.y) + getBeta(rc.y);", "normal * getGamma(rc.y);"),),
    ),
    Fault(
        "a bias added twice under a ReLU",
        "bias_doubled",
        convolutions.conv_relu_fetch,
        (Edit("acc += texelFetch(u_b, ivec2(o, 0), 0).r;", "acc += 2.0 * texelFetch(u_b, ivec2(o, 0), 0).r;"),),
    ),
    Fault(
        "a sum that starts at the bias and gets it again",
        "bias_doubled",
        lambda: generated(models.conv((1, 3, 6, 7), 5)),
        (Edit("    float sum = 0.0;\n\n    for (int i", "    float sum = B(ivec4(0, 0, 0, at.y));\n\n    for (int i"),),
        where=("sum += B(",),
    ),
    Fault(
        "a normalised group's shift added twice",
        "bias_doubled",
        elements.group_norm_tiles,
        (Edit("y = normal * scale + shift;", "y = normal * scale + shift + shift;"),),
        where=("float shift = texelFetch",),
    ),
    Fault(
        "the next output's bias",
        "bias_offset",
        convolutions.conv_tiles,
        (Edit("vec2((feature + 0.5) / float(textureSize(u_bias", "vec2((feature + 1.5) / float(textureSize(u_bias"),),
    ),
    Fault(
        "the first bias for all",
        "bias_offset",
        lambda: generated(models.conv_transpose(), "row_major_rgba"),
        (Edit("sum += B(ivec4(0, 0, 0, at.y));", "sum += B(ivec4(0, 0, 0, 0));"),),
    ),
    Fault(
        "biases by row instead of by column",
        "bias_offset",
        rows.gemm_flat,
        (Edit("element(C, column)", "element(C, row)"),),
    ),
    Fault(
        "biases uploaded in another order",
        "bias_offset",
        lambda: generated(models.conv((1, 3, 6, 7), 5)),
        (Weights("b", lambda b: b[::-1]),),
    ),
    Fault(
        "the first bias of four for all lanes",
        "bias_offset",
        layers.conv_rgba,
        (Edit(LANE_BIAS, "sum[lane] += B(ivec4(0, 0, 0, at.y));"),),
    ),
    Fault(
        "biases of a texel in reverse",
        "bias_offset",
        layers.conv_rgba,
        (Edit(LANE_BIAS, "sum[lane] += B(ivec4(0, 0, 0, o[3 - lane]));"),),
    ),
    Fault(
        "a bias for each group",
        "bias_offset",
        lambda: layers.conv_rgba(2),
        (Edit("B(ivec4(0, 0, 0, at.y))", "B(ivec4(0, 0, 0, at.y / OUTPUTS_PER_GROUP))"),),
    ),
    Fault(
        "the next channel's shift in a batch normalisation",
        "bias_offset",
        lambda: generated(models.batch_norm(), FLAT),
        (Edit("BIAS_linear(c)", "BIAS_linear((c + 1) % PARAMETER_COUNT)"),),
    ),
    Fault(
        "a matrix product's row read by rows, packed",
        "bias_offset",
        lambda: generated(models.gemm(4, 5, 6), PACKED),
        (Edit("C(min(at, C_shape - 1))", "C(ivec4(0, 0, 0, at.z))"),),
    ),
    Fault(
        "biases by column of the picture",
        "bias_offset",
        lambda: generated(models.conv((1, 3, 6, 5), 8), UNPACKED),
        (Edit("B(ivec4(0, 0, 0, at.y))", "B(ivec4(0, 0, 0, at.w))"),),
    ),
    Fault(
        "biases counted down the columns of the grid",
        "bias_offset",
        lambda: generated(models.conv((1, 3, 5, 6), 9)),
        (Edit("B(ivec4(0, 0, 0, at.y))", "B(ivec4(0, 0, 0, at.y % 3 * 3 + at.y / 3))"),),
    ),
    Fault(
        "a broadcast constant taken by another channel",
        "bias_offset",
        lambda: layers.added(UNPACKED),
        (Edit("B(min(at, B_shape - 1))", "B(min(at + ivec4(0, 1, 0, 0), B_shape - 1))"),),
    ),
    Fault(
        "a row of constants taken from the right",
        "bias_offset",
        lambda: layers.added("channel_tiles", (6,)),
        (Edit("B(min(at, B_shape - 1))", "B(ivec4(0, 0, 0, 5 - at.w))"),),
    ),
    Fault(
        "the shifts of an instance normalisation one further on",
        "bias_offset",
        lambda: layers.instance_norm(UNPACKED, 1),
        (Edit("B_linear(parameter_of(index))", "B_linear((parameter_of(index) + 1) % 5)"),),
    ),
    Fault(
        "biases counted anew in every group",
        "bias_offset",
        lambda: generated(conv_of((1, 4, 6, 7), (6, 2, 3, 3), pads=(1, 1, 1, 1), group=2)),
        (Edit("sum += B(ivec4(0, 0, 0, at.y));", "sum += B(ivec4(0, 0, 0, at.y % OUTPUTS_PER_GROUP));"),),
    ),
    Fault(
        "shifts of the next channel",
        "bias_offset",
        elements.scale_shift_es,
        (Edit("texelFetch(shifts, own(channel), 0)", "texelFetch(shifts, own((channel + 1) % channels), 0)"),),
    ),
)
