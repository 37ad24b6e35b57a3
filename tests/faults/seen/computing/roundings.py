"""Plants bugs in whole numbers: another rounding than the model's, alone and where numbers are quantised."""

from __future__ import annotations

import numpy as np

from tests.faults import models
from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.models import Array, single
from tests.faults.subjects import PACKED, RGBA, UNPACKED, Subject, generated

# How a step is made of a number, in the shader that quantises.
STEPS = "float steps = roundEven(quotient(X(at), SCALE_linear(which)));"


def bytes_of(layout: str = "channel_tiles") -> Subject:
    """A picture in steps of one size, as unsigned bytes."""
    known: dict[str, Array] = {"s": np.array(0.031, np.float32), "z": np.array(120, np.uint8)}
    return generated(single("QuantizeLinear", (1, 3, 5, 6), known), layout)


def channels_of() -> Subject:
    """A picture in steps of another size in each channel, as signed bytes."""
    known: dict[str, Array] = {
        "s": np.array([0.02, 0.05, 0.11, 0.03], np.float32),
        "z": np.array([3, -7, 0, 11], np.int8),
    }
    return generated(single("QuantizeLinear", (1, 4, 5, 6), known, axis=1), RGBA)


def halves() -> Subject:
    """Numbers of which many lie in the middle between two whole ones."""
    subject = generated(models.pointwise("Round"), UNPACKED)
    return subject.fed(x=np.rint(4.0 * np.array(subject.inputs["x"])).astype(np.float32) / 2.0)


FAULTS: tuple[Fault, ...] = (
    Fault(
        "the next larger number in place of the nearest",
        "wrong_function",
        lambda: generated(models.pointwise("Round", scale=4.0)),
        (Edit("return roundEven(x);", "return ceil(x);"),),
        {"function": "Ceil", "expected": "Round"},
    ),
    Fault(
        "quantised by what is left of the point",
        "wrong_function",
        bytes_of,
        (Edit(STEPS, STEPS.replace("roundEven", "floor")),),
        {"function": "Floor", "expected": "Round"},
    ),
    Fault(
        "quantised towards zero, each channel by its own step",
        "wrong_function",
        channels_of,
        (Edit(STEPS, STEPS.replace("roundEven", "trunc")),),
        {"function": "Trunc", "expected": "Round"},
    ),
    Fault(
        "quantised upwards in packed texels",
        "wrong_function",
        lambda: bytes_of(PACKED),
        (Edit(STEPS, STEPS.replace("roundEven", "ceil")),),
        {"function": "Ceil", "expected": "Round"},
    ),
    Fault(
        "halves rounded up where the model rounds them to even",
        "wrong_function",
        halves,
        (Edit("return roundEven(x);", "return floor(x + 0.5);"),),
        {"function": "Round with halves up", "expected": "Round"},
    ),
    Fault(
        "the nearest number in place of the next smaller one",
        "wrong_function",
        lambda: generated(models.pointwise("Floor", (1, 4, 5, 6), scale=3.0), RGBA),
        (Edit("return floor(x);", "return roundEven(x);"),),
        {"function": "Round", "expected": "Floor"},
    ),
    Fault(
        "towards zero in place of the next larger number",
        "wrong_function",
        lambda: generated(models.pointwise("Ceil", scale=3.0), UNPACKED),
        (Edit("return ceil(x);", "return trunc(x);"),),
        {"function": "Trunc", "expected": "Ceil"},
    ),
)
