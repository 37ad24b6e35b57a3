"""Planted bugs in textures of an earlier run, and the one that is being drawn into."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import DrawnUntil, OnBindDo, OneRunBehind
from tests.faults.fault import Fault
from tests.faults.seen.subjects import convolutions, elements, rows
from tests.faults.states import bound_output
from tests.faults.subjects import generated

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a pass that is not drawn again",
        "stale_tensor",
        lambda: generated(models.conv((1, 3, 6, 7), 5)),
        (DrawnUntil(1),),
        earlier=1,
        alternatives=("unwritten_texels",),  # what is never drawn is never written
        seen_at="tfjs PR 5264",
    ),
    Fault(
        "an input one run behind",
        "stale_tensor",
        convolutions.conv_tiles,
        (OneRunBehind("u_image"),),
        earlier=2,
    ),
    Fault(
        "one of two inputs one run behind",
        "stale_tensor",
        lambda: generated(models.binary("Sub"), "channel_tiles_rgba"),
        (OneRunBehind("t_B"),),
        earlier=2,
    ),
    Fault(
        "a normalisation with the statistics of the picture before",
        "stale_tensor",
        lambda: generated(models.instance_norm((1, 3, 5, 6)), "channel_tiles_rgba"),
        (OneRunBehind("t_M"),),
        earlier=2,
    ),
    Fault(
        "a dense layer drawn for the first input alone",
        "stale_tensor",
        rows.dense_flat,
        (DrawnUntil(1),),
        earlier=1,
        alternatives=("unwritten_texels",),  # what is never drawn is never written
    ),
    Fault(
        "a ReLU that reads its own target",
        "feedback_loop",
        elements.leaky_uv,
        (OnBindDo(bound_output("u_picture")),),
        runs=2,
        where=("texture(u_picture",),
        seen_at="godot#81527",
    ),
    Fault(
        "a convolution in place",
        "feedback_loop",
        lambda: generated(models.conv((1, 4, 6, 7), 4, 3)),
        (OnBindDo(bound_output("t_X")),),
        runs=3,
        where=("sum += X(ivec4(",),
        seen_at="godot#81527",
    ),
    Fault(
        "a rectifier that reads its own target",
        "feedback_loop",
        lambda: generated(models.pointwise("Relu")),
        (OnBindDo(bound_output("t_X")),),
    ),
    Fault(
        "the block's own target as skip connection",
        "feedback_loop",
        elements.residual_prelu,
        (OnBindDo(bound_output("u_skip")),),
        {"sampler": "u_skip"},
        ("float skip = texelFetch",),
    ),
    Fault(
        "a factor and a shift in place",
        "feedback_loop",
        elements.scale_shift_es,
        (OnBindDo(bound_output("pictures")),),
        runs=2,
        where=("float x = texture(pictures",),
    ),
)
