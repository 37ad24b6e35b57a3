"""Planted bugs in which tensor is read."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import BoundTo, Edit, OnBindDo
from tests.faults.fault import Fault
from tests.faults.seen.subjects import elements, rows
from tests.faults.states import bound_other
from tests.faults.subjects import FLAT, RGBA, generated

CONV_READ = "sum += X(ivec4("

FAULTS: tuple[Fault, ...] = (
    Fault(
        "the second picture joined twice",
        "wrong_input",
        lambda: elements.concat_tiles((2, 3, 3)),
        (Edit("read(u_third, channel - third,", "read(u_second, channel - third,"),),
    ),
    Fault(
        "a difference of one tensor and itself, scaled",
        "wrong_input",
        lambda: generated(models.binary("Mul"), "tfjs_packed"),
        (Edit("B(min(at, B_shape - 1))", "A(min(at, A_shape - 1))"),),
    ),
    Fault(
        "another branch's texture bound",
        "wrong_input",
        lambda: generated(models.branches(), name="r"),
        (OnBindDo(bound_other("t_X", "q")),),
        where=(CONV_READ,),
    ),
    Fault(
        "one operand twice",
        "wrong_input",
        lambda: generated(models.binary("Sub"), RGBA),
        (Edit("A(min(at, A_shape - 1)), B(min(at, B_shape - 1))", "B(min(at, B_shape - 1)), A(min(at, A_shape - 1))"),),
    ),
    Fault(
        "mean and shift of a normalisation exchanged",
        "wrong_input",
        lambda: generated(models.batch_norm(), FLAT),
        (
            Edit("(X(at) - MEAN_linear(c))", "(X(at) - BIAS_linear(c))"),
            Edit("* factor + BIAS_linear(c);", "* factor + MEAN_linear(c);"),
        ),
    ),
    Fault(
        "scores of keys for queries",
        "wrong_input",
        rows.attention_getx,
        (Edit("return texelFetch(q, ivec2(d, head", "return texelFetch(k, ivec2(d, head"),),
        where=("result += getQ(",),
    ),
    Fault(
        "the convolution's input in place of the skip connection",
        "wrong_input",
        elements.residual_prelu,
        (Edit("texelFetch(u_skip, TILE", "texelFetch(u_inner, TILE"),),
    ),
    Fault(
        "scale and shift of a normalisation exchanged",
        "wrong_input",
        lambda: generated(models.batch_norm(), "tfjs_unpacked"),
        (
            Edit("SCALE_linear(c) /", "BIAS_linear(c) /"),
            Edit("* factor + BIAS_linear(c)", "* factor + SCALE_linear(c)"),
        ),
    ),
    Fault(
        "the slopes bound where the bias belongs",
        "wrong_input",
        elements.residual_prelu,
        (BoundTo("u_b", "slope"),),
        {"sampler": "u_b", "got": "slope", "expected": "b"},
    ),
    Fault(
        "the shift bound where the mean belongs",
        "wrong_input",
        elements.batchnorm_tiles,
        (BoundTo("u_mean", "shift"),),
        {"sampler": "u_mean", "got": "shift", "expected": "mean"},
    ),
)
