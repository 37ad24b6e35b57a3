"""What an oracle says of a tensor, and what every oracle can be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Expected:
    """A tensor's expected value and the bound on |gpu − value|, element by element; None says equal."""

    value: NDArray[Any]
    bound: NDArray[np.float64] | None


class Oracle(Protocol):
    """Knows every tensor by name, in its logical shape. Holds no GL; may be used from one worker thread."""

    def chained(
        self, inputs: Mapping[str, NDArray[Any]], *, gaps: dict[str, str] | None = None
    ) -> Mapping[str, Expected]:
        """Every tensor from the inputs alone. What cannot be evaluated is left out; `gaps` gets by tensor why."""

    def isolated(
        self,
        given: Mapping[str, NDArray[Any]],
        wanted: str,
        *,
        errors: Mapping[str, NDArray[np.float64]] | None = None,
    ) -> Expected | None:
        """The tensor `wanted` from the tensors `given`, taken as exact; None if nothing says what is right.

        `errors` says by how much those given may be off where the pass reads them.

        Raises TexelscopeError where `given` does not determine it.
        """
