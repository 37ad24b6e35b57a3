"""Planted bugs in which tensor is read."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit, OnBindDo
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import elements
from tests.faults.states import bound_other
from tests.faults.subjects import generated

FAULTS: tuple[Fault, ...] = (
    Fault(
        "the subtrahend read from the minuend",
        "wrong_input",
        elements.subtract_uv,
        (Edit("texture(right, place)", "texture(left, place)"),),
    ),
    Fault(
        "the texture of the layer before",
        "wrong_input",
        lambda: generated(models.branches(), "channel_tiles_rgba", name="s"),
        (OnBindDo(bound_other("t_X", "x")),),
    ),
    Fault(
        "the second picture's rows from the first",
        "wrong_input",
        elements.join_unpacked,
        (Edit("{ return texelFetch(B,", "{ return texelFetch(A,"),),
        where=("getB(channel - FIRST",),
    ),
    Fault(
        "the mean of a normalisation bound where its shift belongs",
        "wrong_input",
        elements.batchnorm_rgba,
        (OnBindDo(bound_other("beta", "mean")),),
    ),
)
