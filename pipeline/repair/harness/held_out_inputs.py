"""Makes held-out inputs for one pass: shuffles its own ones, or computes those for other inputs of the pipeline.

A pass may be right only on special inputs, for example if shares outside a band are zero and are not read. Shuffled
inputs distinguish more edits; inputs that result from the pipeline's are of the kind that the pass is written for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.deadline import within
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.inputs.values import alike
from texelscope.pipeline.oracle.choice import oracle_of

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

Inputs = Mapping[str, NDArray[Any]]
# The seed of shuffled inputs; any number will do.
_SEED = 20
# The pipeline's inputs are shuffled this many times, and not scaled: its passes may not be written for larger ones.
_FOLLOWED, _AS_IT_IS = 3, (1.0, 0.0)
# A pipeline whose oracle takes longer is skipped.
_SECONDS = 2.0


def shuffled(inputs: Inputs) -> list[dict[str, NDArray[Any]]]:
    """Returns inputs of the same shapes and kinds: shuffled, scaled, with other signs. Integers are only shuffled.

    Inputs without negative values keep that: they may go into a root or a logarithm.
    """
    return [_shuffled(inputs, *each) for each in enumerate(((1.0, 0.0), (2.0, 0.0), (0.5, 0.5)))]


def followed(session: Session, wanted: Inputs) -> list[dict[str, NDArray[Any]]]:
    """Returns the tensors `wanted` for shuffled inputs of the pipeline; none if the oracle is missing or too slow.

    They are float32, in their logical shapes.
    """
    plan = session.plan
    oracle = oracle_of(plan)
    if oracle is None:
        return []
    found = []
    try:
        with within(_SECONDS, f"other inputs of {plan.name}"):
            given = {plan.textures[key].tensor: session.tensor(key) for key in plan.inputs}
            for number in range(_FOLLOWED):
                expected = oracle.chained(_shuffled(given, number, _AS_IT_IS))
                found.append({name: _like(expected[name].value, value) for name, value in wanted.items()})
    except (TexelscopeError, KeyError):
        return []
    return found


def _shuffled(inputs: Inputs, number: int, changes: tuple[float, float]) -> dict[str, NDArray[Any]]:
    """Returns the inputs shuffled with that seed, scaled, and with a share of their signs flipped."""
    made, (size, turned) = {}, changes
    for place, (name, value) in enumerate(sorted(inputs.items())):
        random = np.random.default_rng((_SEED, number, place))
        if not np.issubdtype(value.dtype, np.floating) or _is_whole(value):
            mixed = random.permutation(value.reshape(-1)).reshape(value.shape)
        else:
            mixed = size * alike(random, value)
            if value.size and np.nanmin(value) < 0.0:
                mixed = np.where(random.uniform(size=value.shape) < turned, -mixed, mixed)
            mixed = mixed.astype(value.dtype)
        made[name] = mixed
    return made


def _like(value: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(value, dtype=other.dtype).reshape(other.shape)


def _is_whole(value: NDArray[Any]) -> bool:
    finite = value[np.isfinite(value)]
    return bool(np.all(finite == np.rint(finite)))
