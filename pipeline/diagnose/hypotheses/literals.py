"""Proposes numbers that the shader's text has in place of the model's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.index_maps.weights_there import solved
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Generator, Hypothesis, Stage
from texelscope.pipeline.diagnose.trial.model_edits import constant_as
from texelscope.pipeline.dialects.effects.network import network_of_effect_pass
from texelscope.pipeline.dialects.effects.passes import EffectPlan
from texelscope.pipeline.dialects.mpv.network.network import Network
from texelscope.pipeline.dialects.mpv.network.of_plan import network_of_pass
from texelscope.pipeline.dialects.mpv.passes import ShaderPlan
from texelscope.pipeline.dialects.mpv.weights.comparison import differs
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import ProgramSource

# Fewer numbers that changed places were more likely typed so; how near two are that are printed alike.
_FEWEST_MOVED, _PRINTED = 4, 1e-5


@dataclass(frozen=True)
class DifferingNumber:
    """A number that differs from the model's: the constant's name, the element, its line, and both values."""

    name: str
    element: tuple[int, ...]
    line: int
    written: float
    wanted: float


def _wrong_literal(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes all differing numbers at once: those in the text, or those solved from the values."""
    yield from solved(case, causes.WRONG_LITERAL)
    plan, graph = case.evidence.plan, case.model_slice.graph
    if not isinstance(plan, ShaderPlan) or graph is None:
        return
    network = _network(plan, case.output.tensor, case.evidence.program)
    if network is None:
        return
    numbers = _differing(network, case.output.tensor, graph.constants)
    if isinstance(plan, EffectPlan) and len(numbers) > SURE_NUMBERS:
        return  # an effect's pass writes several textures: these may be the weights of another one
    if numbers and not _are_moved(numbers):
        names = dict.fromkeys(each.name for each in numbers)
        changes = [_as(name, network.constants[name]) for name in names]
        yield _hypothesis(numbers, changes, network.file)


def _are_moved(numbers: Sequence[DifferingNumber]) -> bool:
    """Whether the numbers are the model's in another order, which is a fault of the indices that they are read by."""
    written, wanted = (sorted(getattr(each, name) for each in numbers) for name in ("written", "wanted"))
    return len(numbers) >= _FEWEST_MOVED and bool(np.allclose(written, wanted, rtol=_PRINTED, atol=0.0))


def differing_numbers(
    plan: ShaderPlan, tensor: str, program: ProgramSource, constants: Mapping[str, NDArray[Any]]
) -> list[DifferingNumber] | None:
    """Returns the numbers in the text of the block that makes a tensor which differ from `constants` of their names.

    None where the text is no network, or has weights that are not among the constants.
    """
    network = _network(plan, tensor, program)
    if network is None or not {*network.of_block[tensor]} <= constants.keys():
        return None
    return _differing(network, tensor, constants)


def _network(plan: ShaderPlan, tensor: str, program: ProgramSource) -> Network | None:
    try:
        if isinstance(plan, EffectPlan):
            return network_of_effect_pass(plan, tensor, program)
        return network_of_pass(plan, tensor, program.fragment)
    except TexelscopeError:  # the text is no network, so its numbers have no names
        return None


def _differing(network: Network, tensor: str, constants: Mapping[str, NDArray[Any]]) -> list[DifferingNumber]:
    found: list[DifferingNumber] = []
    for name in network.of_block[tensor]:
        written, wanted = network.constants[name], constants.get(name)
        if wanted is None or wanted.shape != written.shape:
            continue
        lines = network.lines[name]
        for at in map(tuple, np.argwhere(differs(written, wanted))):
            element = tuple(int(index) for index in at)
            found.append(DifferingNumber(name, element, int(lines[at]), _short(written[at]), _short(wanted[at])))
    return found


# More wrong numbers in one place of a text may as well be weights of other places.
SURE_NUMBERS = 4


def described(numbers: Sequence[DifferingNumber]) -> tuple[str, dict[str, Any]]:
    """Returns what is said of differing numbers, and the parameters of a finding about them."""
    first, count = numbers[0], len(numbers) - 1
    element = ", ".join(str(index) for index in first.element)
    others = f", and {count} more number{'s differ' if count > 1 else ' differs'}" if count else ""
    return f"'{first.name}'[{element}] is written as {first.written!r} instead of {first.wanted!r}{others}", {
        "tensor": first.name,
        "element": [int(index) for index in first.element],
        "written": first.written,
        "wanted": first.wanted,
        "count": len(numbers),
    }


def _hypothesis(numbers: list[DifferingNumber], changes: list[ModelEdit], file: str) -> Hypothesis:
    says, parameters = described(numbers)
    line, is_alone = numbers[0].line, len({each.line for each in numbers}) == 1
    return Hypothesis(
        causes.WRONG_LITERAL,
        says,
        tuple(changes),
        parameters,
        line=lambda _case: (file, line),
        is_to_change=is_alone,
    )


def _short(value: np.float32) -> float:
    """Returns the shortest decimal that is this float32."""
    return float(str(np.float32(value)))


def _as(name: str, value: NDArray[np.float32]) -> ModelEdit:
    return constant_as(name, lambda _old: value)


GENERATORS = (Generator(causes.WRONG_LITERAL, Stage.PARTS, _wrong_literal),)
