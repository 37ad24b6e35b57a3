"""Evaluates the output that a program made elsewhere of recorded inputs; nothing is computed."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from texelscope.pipeline.arithmetic.invocation import Evaluate, Invocation, Outputs
from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.operators.families.recorded import ALIKE, difference


def recorded(invocation: Invocation) -> Outputs:
    """Evaluates Recorded: the output that a program made elsewhere of recorded inputs; nothing is computed.

    The inputs are the present ones, then as many recorded ones, then the result. Where a present one differs by more
    than rounding from the recorded one, the program's output for it is unknown. Returns the recorded result. Raises
    UnsupportedError if the inputs differ from the recorded ones.
    """
    count = len(invocation.inputs) // 2
    for position in range(count):
        given, recorded = invocation.required(position), invocation.required(count + position)
        if difference(given, recorded) > ALIKE:
            raise UnsupportedError(
                f"recording of '{invocation.attribute('program')}'",
                "the inputs that it was recorded with",
                f"others (input {position})",
                "Fix the passes before it: it can be judged then.",
            )
    return (np.array(invocation.required(2 * count)),)


OPERATORS: Mapping[str, Evaluate] = {
    "Recorded": recorded,
}
