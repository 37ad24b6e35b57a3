"""Holds what another program made of a plan's passes: a third value beside this device's and the oracle's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

# What a recorded pass is compared with: what its kernel means, or what was recorded; empty for passes of no recording.
OracleKind = Literal["", "meaning", "recording"]


@dataclass(frozen=True)
class RecordedRun:
    """Holds a recorded run: `values` by key of a stored tensor, in its logical shape, inputs and outputs alike.

    `engine` names the program that ran, for a sentence. `called` is by key what the engine calls the operation.
    """

    engine: str
    values: Mapping[str, NDArray[np.float32]]
    called: Mapping[str, str]
