"""Planted bugs in what backward passes that were written by hand compute."""

from __future__ import annotations

from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.seen.subjects import backward_by_hand as subjects

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a mean of an enlarged pixel's gradients",
        "scale",
        subjects.enlarged,
        (Edit("o_dx = sum;", "o_dx = sum * 0.25;"),),
        alternatives=("wrong_function", "average_count"),  # a mean is not what the pass is to make
    ),
    Fault(
        "shares of a mean that count the padding",
        "average_count",
        subjects.average_pool,
        (Edit("/ float(count)", "/ float(KERNEL * KERNEL)"),),
    ),
    Fault(
        "a mean's gradient that is not shared out",
        "scale",
        subjects.global_mean,
        (Edit(" / float(SIZE.x * SIZE.y)", ""),),
        alternatives=("average_count",),  # divided by one
    ),
    Fault(
        "a softmax's gradient without the sum",
        "bias_missing",
        subjects.softmax,
        (Edit("(at(DY, index) - sum)", "at(DY, index)"),),
    ),
    Fault(
        "the logarithm of a share for the share",
        "activation_missing",
        subjects.log_softmax,
        (Edit("exp(texelFetch(y, texel, 0).r)", "texelFetch(y, texel, 0).r"),),
    ),
    Fault(
        "a layer normalisation's gradient that is not centred",
        "bias_missing",
        subjects.layer_norm,
        (Edit(" - gSum / n", ""),),
    ),
    Fault(
        "a layer normalisation's gradient without what flows through the deviation",
        "bias_missing",
        subjects.layer_norm,
        (Edit(" - normal * alongSum / n", ""),),
    ),
    Fault(
        "a layer normalisation's deviation of one element less",
        "average_count",
        subjects.layer_norm,
        (Edit("squares / n + EPSILON", "squares / (n - 1.0) + EPSILON"),),
        where=("inversesqrt(",),
    ),
    Fault(
        "an instance normalisation's variance of one element less",
        "average_count",
        subjects.instance_norm,
        (Edit("squares / count;", "squares / (count - 1.0);"),),
    ),
    Fault(
        "sums for means on the way back through a normalisation",
        "average_count",
        subjects.instance_norm,
        (Edit("(dySum + normal * alongSum) / count", "(dySum + normal * alongSum)"),),
        alternatives=("scale",),  # of both terms
    ),
    Fault(
        "a normalisation's way back without its epsilon",
        "epsilon",
        subjects.batch_norm,
        (Edit(" + EPSILON", ""),),
    ),
    Fault(
        "a hyperbolic tangent's slope without its square",
        "wrong_function",
        lambda: subjects.activation("Tanh", "tanh_dx", "y"),
        (Edit("1.0 - value * value", "1.0 - value"),),
        alternatives=("activation_missing",),  # a square is a function of one value
    ),
    Fault(
        "nothing flows back below zero",
        "alpha",
        lambda: subjects.activation("LeakyRelu", "leaky_dx", "x", alpha=0.2),
        (Edit("? 1.0 : 0.2", "? 1.0 : 0.0"),),
        alternatives=("wrong_function",),  # it is a ReLU's
    ),
    Fault(
        "an exponential unit's slope without its alpha",
        "alpha",
        lambda: subjects.activation("Elu", "elu_dx", "x", alpha=0.7),
        (Edit("0.7 * exp(value)", "exp(value)"),),
    ),
    Fault(
        "a divisor's gradient without its minus",
        "scale",
        subjects.quotient,
        (Edit("db = -texelFetch", "db = texelFetch"),),
        {"factor": -1.0},
        alternatives=("activation_missing",),  # of a Neg
    ),
    Fault(
        "a divisor's gradient without its square",
        "wrong_function",
        subjects.quotient,
        (Edit("(divisor * divisor)", "divisor"),),
        alternatives=("activation_missing",),  # as above
    ),
    Fault(
        "the gradient of a sum of squares for that of their mean",
        "scale",
        subjects.mean_loss,
        (Edit(" / COUNT", ""),),
        {"factor": 24.0},
        alternatives=("average_count",),  # divided by one
    ),
    Fault(
        "the gradient of half of the squares",
        "scale",
        subjects.mean_loss,
        (Edit("2.0 * e", "e"),),
        {"factor": 0.5},
    ),
    Fault(
        "nothing flows past a residual block",
        "bias_missing",
        subjects.residual,
        (Edit("dx = past + through;", "dx = through;"),),
    ),
    Fault(
        "a slope's gradient from positive values too",
        "activation_missing",
        subjects.prelu,
        (Edit("min(texelFetch(x, at, 0).r, 0.0)", "texelFetch(x, at, 0).r"),),
    ),
    Fault(
        "a bias's gradient a mean over images",
        "scale",
        lambda: subjects.conv("b"),
        (Edit("db = sum;", "db = sum / float(BATCH);"),),
        {"factor": 0.5},
        alternatives=("wrong_function", "average_count"),  # a mean is not what the pass is to make
    ),
    Fault(
        "the last of equal largest",
        "wrong_function",
        subjects.max_pool_apart,
        (Edit("int k = 3; k >= 0; k--", "int k = 0; k < 4; k++"),),
        where=("place = tap", "dx = at == place"),
        alternatives=("index_map",),  # it is put at another place
    ),
)
