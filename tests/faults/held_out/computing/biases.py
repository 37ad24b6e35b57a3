"""Plants bugs in biases: forgotten, added twice, those of other channels."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import convolutions, elements, rows
from tests.faults.subjects import generated

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a total that starts at zero",
        "bias_missing",
        convolutions.conv_blocks,
        (Edit("float total = texelFetch(t_offset, ivec2(o, 0), 0).r;", "float total = 0.0;"),),
        where=("return total;",),
    ),
    Fault(
        "instance normalisation without its shift",
        "bias_missing",
        elements.instance_norm,
        (Edit("* scale + bias;", "* scale;"),),
    ),
    Fault(
        "a flat 1x1 convolution that starts at zero",
        "bias_missing",
        convolutions.pointwise_flat,
        (Edit("float acc = load(B, p.y);", "float acc = 0.0;"),),
        where=("return acc;",),
    ),
    Fault(
        "a batch normalisation without its shift",
        "bias_missing",
        lambda: generated(models.batch_norm((2, 5, 4, 6)), "row_major_rgba"),
        (Edit("* factor + BIAS_linear(c);", "* factor;"),),
    ),
    Fault(
        "a row added before and after",
        "bias_doubled",
        rows.gemm_blocks,
        (Edit("setOutput = result + c.rgrg;", "setOutput = result + 2.0 * c.rgrg;"),),
        where=("vec4 c = texelFetch(addend",),
    ),
    Fault(
        "a leaky convolution with its bias twice",
        "bias_doubled",
        convolutions.conv_getx,
        (Edit("float result = dotProd;", "float result = dotProd + getBias(d2);"),),
        where=("result = result + getBias(d2);", "return sampleTexture(bias"),
    ),
    Fault(
        "a gradient with its bias twice",
        "bias_doubled",
        convolutions.deconv_getdy,
        (Edit("outputValue = dotProd + texelFetch(bias", "outputValue = dotProd + 2.0 * texelFetch(bias"),),
    ),
    Fault(
        "a flat normalisation shifted inside of its sum too",
        "bias_doubled",
        rows.layernorm_flat,
        (Edit("* quad(gain, index % 2);", "* quad(gain, index % 2) + quad(shift, index % 2);"),),
        where=("normal = scaled",),
    ),
    Fault(
        "biases one too far in flat memory",
        "bias_offset",
        convolutions.conv_flat,
        (Edit("get(biases, feature)", "get(biases, feature + 1.0)"),),
    ),
    Fault(
        "biases in pairs exchanged",
        "bias_offset",
        rows.gemm_blocks,
        (Edit("result + c.rgrg", "result + c.grgr"),),
        where=("vec4 c = texelFetch(addend",),
    ),
    Fault(
        "the first group's biases for both",
        "bias_offset",
        convolutions.grouped_rgba,
        (Edit("ivec2(tile * 4 + lane, 0)", "ivec2(lane, 0)"),),
    ),
    Fault(
        "the second picture's shifts counted on",
        "bias_offset",
        elements.batchnorm_rgba,
        (Edit("scaled + four(beta, channel)", "scaled + four(beta, tile * 4)"),),
        where=("found[lane] = texelFetch(values",),
    ),
)
