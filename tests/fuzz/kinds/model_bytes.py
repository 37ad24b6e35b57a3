"""Models of many tools with a few bytes changed."""

from __future__ import annotations

import random

from tests.fuzz import commands, mutation, seeds
from tests.fuzz.case import Case


def case(random_: random.Random) -> Case:
    data = mutation.of_bytes(random_.choice(seeds.models()), random_)
    return Case("bytes of a model", {"model.onnx": data}, commands.on("case/model.onnx", random_))
