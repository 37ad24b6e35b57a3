"""Other inputs for one pass: its own ones shuffled, or what comes to it of other inputs of the whole pipeline.

A pass may be right by what its inputs never are, as where shares outside a band are zero and are not read. Shuffled
ones tell more edits apart; those that follow from a pipeline's inputs are such as the pass is written for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.deadline import within
from texelscope.pipeline.diagnose.evidence.held_out_inputs import alike
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.oracle.choice import oracle_of

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

Inputs = Mapping[str, NDArray[Any]]
# Fresh inputs are drawn from here on; any number does.
_SEED = 20
# What a pipeline reads is shuffled so often; larger inputs may be beyond what its passes are written for.
_FOLLOWED, _AS_IT_IS = 3, (1.0, 0.0)
# Of a whole pipeline that takes the oracle longer nothing is asked.
_SECONDS = 2.0


def shuffled(inputs: Inputs) -> list[dict[str, NDArray[Any]]]:
    """Inputs of the same shapes and kinds: shuffled, of other size, of other sign. Whole numbers are shuffled alone.

    What is nowhere negative stays so: it may be what a root or a logarithm is taken of.
    """
    return [_shuffled(inputs, *each) for each in enumerate(((1.0, 0.0), (2.0, 0.0), (0.5, 0.5)))]


def followed(session: Session, wanted: Inputs) -> list[dict[str, NDArray[Any]]]:
    """What the tensors `wanted` become where the pipeline's inputs are shuffled; none where no oracle says so in time.

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
    """The inputs, shuffled in the order of that number; so many times as large, that share of them of other sign."""
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
