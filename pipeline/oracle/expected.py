"""Defines the oracle's interface, and the expected value that it returns for a tensor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Expected:
    """A tensor's expected value and the bound on |gpu − value|, element by element; None demands equality.

    `trials` are values with roundings elsewhere, from which a bound was estimated, of what the next frame reads.
    """

    value: NDArray[Any]
    bound: NDArray[np.float64] | None
    trials: tuple[NDArray[Any], ...] = ()


class Oracle(Protocol):
    """Computes every tensor by name, in its logical shape. Holds no GL; may be used from one worker thread."""

    def chained(
        self,
        inputs: Mapping[str, NDArray[Any]],
        *,
        gaps: dict[str, str] | None = None,
        carried: Mapping[str, Expected] | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> Mapping[str, Expected]:
        """Returns every tensor from the inputs alone, without those that fail; `gaps` gets the reasons by tensor.

        `carried` are inputs that an earlier call of the same oracle returned, with their rounding. `progress` gets the
        finished share now and then, in [0, 1].
        """

    def isolated(
        self,
        given: Mapping[str, NDArray[Any]],
        wanted: str,
        *,
        errors: Mapping[str, NDArray[np.float64]] | None = None,
    ) -> Expected | None:
        """Returns the tensor `wanted` from the exact tensors `given`; None if no expected value is known.

        `errors` bounds how far the given ones may be off where the pass reads them.

        Raises TexelscopeError where `given` does not determine it.
        """
