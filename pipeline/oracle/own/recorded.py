"""Recorded: what a program made, elsewhere, of the inputs that it had there; nothing is computed.

The inputs are those at hand, then as many as they were recorded, then the result. Where one at hand differs by more
than rounding from what was recorded, nobody knows what the program should make of it.
"""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.operators.families.recorded import ALIKE, difference
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "Recorded"


def evaluate(invocation: Invocation) -> Outputs:
    """Raises UnsupportedError for inputs that are not alike."""
    count = len(invocation.inputs) // 2
    for position in range(count):
        given, recorded = invocation.required(position), invocation.required(count + position)
        if difference(given, recorded) > ALIKE:
            raise UnsupportedError(
                f"recording of '{invocation.attribute('program')}'",
                "the inputs that it was recorded with",
                f"others (input {position})",
                "Mend the passes before it: it can be judged then.",
            )
    return (np.array(invocation.required(2 * count)),)
