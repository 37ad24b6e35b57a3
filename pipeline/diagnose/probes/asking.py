"""Probes a pass: draws it with designed textures in place of its own, one draw per step. GL thread only.

The shader is a black box: its text and uniforms stay, only its inputs hold other numbers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.probes.designs import (
    AskedSum,
    AskedTensor,
    ProbeAnswers,
    ProbeLanes,
    lanes_of,
    lit,
    taken,
)
from texelscope.pipeline.diagnose.probes.wiring import SumWiring, Wiring, element_of_sum, reads_of, wiring_of
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import Pass, Plan
from texelscope.pipeline.read_trace.expected import expected_reads

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

Array = NDArray[np.float32]
Indices = NDArray[np.int64]
Values = NDArray[np.float64]
# The lit lanes, [lanes], and the four results, [4, elements].
Turn = tuple[NDArray[np.bool_], Array]
Textures = Mapping[str, moderngl.Texture]
# Draws the pass's first target [height, width, lanes] with those textures in place of its own.
Draw = Callable[[Textures], Array]

# Errors of a driver, or of the session, that cannot draw.
REFUSALS = (moderngl.Error, TexelscopeError)
# At most, and with few elements at least, this many sets of lit lanes; none is begun after these seconds of this
# thread, or of a software driver's threads with it.
_MOST_TURNS, _FEWEST_TURNS, _SECONDS, _DRAWING_SECONDS = 14, 3, 0.35, 3.0
_TURNS_OF_FEW, _ELEMENTS = 60, 1600
# After this many turns with sources lit follows one with weights lit.
_OF_WEIGHTS = 3
# The expected reads of this many wrong elements decide which tensors are probed.
_LOOKED_AT = 3
# If this share of the elements shows what it reads, nothing else is probed.
_TOLD = 0.5


def ask(
    session: Session, plan: Plan, shader_pass: Pass, rows: slice, wrong: NDArray[np.bool_], draw: Draw
) -> Generator[None, None, ProbeAnswers | None]:
    """Probes step by step; returns None if the model does not describe the pass. `rows` of the target are drawn.

    `plan` is the session's, with a graph of the pass if that has none.
    """
    wiring = wiring_of(plan, shader_pass)
    if wiring is None or plan.graph is None:
        return None
    stored = plan.textures[shader_pass.output]
    address = stored.layout.address(stored.shape)[rows]
    there = address >= 0
    elements = address[there].astype(np.int64)
    if not len(elements):
        return None
    with _Swapped(session, shader_pass, wiring) as swapped:

        def drawn() -> Array:
            return draw(swapped.textures)[rows][there]

        tensors = []
        for key in _taken_from(plan, shader_pass, wiring, elements, wrong):
            lanes = lanes_of([plan.textures[key]])
            if lanes is None:
                continue
            for is_alone in (False, True):
                swapped.reset()
                draws = []
                for values in (np.zeros(lanes.count), lanes.one, lanes.code, lanes.check):
                    swapped.put(lanes, values)
                    draws.append(draw({key: swapped.textures[key]})[rows][there] if is_alone else drawn())
                    yield
                if np.mean(taken(lanes, np.stack(draws).astype(np.float64)).lane >= 0) > _TOLD:
                    break
            tensors.append(AskedTensor(lanes, np.stack(draws), is_alone=is_alone))
        totals = []
        whole = {sampler.key for sampler in shader_pass.samplers if sampler.kind.dtype}
        for each_sum in wiring.sums:
            if not whole.isdisjoint((*each_sum.sources, *each_sum.weights)):
                continue  # an integer texture does not hold the probes' numbers
            swapped.reset()
            total = yield from _ask_sum(plan, each_sum, elements, wrong, swapped, drawn)
            totals += [] if total is None else [total]
        return ProbeAnswers(wiring, elements, dict(swapped.filled), tuple(tensors), tuple(totals))


def _ask_sum(
    plan: Plan, wiring: SumWiring, elements: Indices, wrong: NDArray[np.bool_], swapped: _Swapped,
    drawn: Callable[[], Array],
) -> Generator[None, None, AskedSum | None]:  # fmt: skip
    textures = plan.textures
    sources = lanes_of([textures[key] for key in wiring.sources])
    weights = lanes_of([textures[key] for key in wiring.weights], seed=7)
    terms = _terms(plan, wiring, elements, wrong)
    if sources is None or not terms:
        return None
    swapped.put(sources, np.zeros(sources.count))
    if weights is not None and not wiring.is_shared:
        swapped.put(weights, weights.one)
    nothing = drawn()
    nothing = np.zeros_like(nothing) if wiring.is_shared else nothing
    yield
    turns: list[Turn] = []
    of_weights: list[Turn] = []
    start, random = (time.thread_time(), time.process_time()), np.random.default_rng(0)
    most = min(max(_ELEMENTS // len(elements), _MOST_TURNS), _TURNS_OF_FEW)
    while len(turns) < most and (len(turns) < _FEWEST_TURNS or _is_early(*start)):
        if wiring.is_shared:
            turns.append(
                (yield from _turn_of_differences(wiring, sources, weights, 1.0 / terms, random, swapped, drawn))
            )
            continue
        turns.append((yield from _turn(sources, weights, 1.0 / terms, random, swapped, drawn)))
        if weights is not None and len(of_weights) * _OF_WEIGHTS < len(turns):
            of_weights.append((yield from _turn(weights, sources, 1.0 / terms, random, swapped, drawn)))
    found = AskedSum(wiring, sources, weights, *_stacked(turns), nothing)
    if weights is None or not of_weights:
        return found
    return replace(found, by_weights=AskedSum(wiring, weights, sources, *_stacked(of_weights), nothing))


def _is_early(thread_start: float, process_start: float) -> bool:
    return time.thread_time() - thread_start < _SECONDS and time.process_time() - process_start < _DRAWING_SECONDS


def _stacked(turns: Sequence[Turn]) -> tuple[NDArray[np.bool_], Array]:
    return np.stack([chosen for chosen, _ in turns]), np.stack([draws for _, draws in turns])


def _turn(
    lit_ones: ProbeLanes, others: ProbeLanes | None, share: float, random: np.random.Generator, swapped: _Swapped,
    drawn: Callable[[], Array],
) -> Generator[None, None, Turn]:  # fmt: skip
    """Draws a share of some lanes lit, all others 0: as 1, as codes, with the other factor's codes, as checks."""
    chosen = lit(lit_ones, share, random)
    draws = []
    all_others = [None] * 4 if others is None else [others.one, others.one, others.code, others.check]
    for values, held in zip((lit_ones.one, lit_ones.code, lit_ones.one, lit_ones.check), all_others, strict=True):
        swapped.put(lit_ones, np.where(chosen, values, 0.0))
        if others is not None and held is not None:
            swapped.put(others, held)
        draws.append(drawn())
        yield
    return chosen, np.stack(draws)


def _turn_of_differences(
    wiring: SumWiring, sources: ProbeLanes, weights: ProbeLanes | None, share: float, random: np.random.Generator,
    swapped: _Swapped, drawn: Callable[[], Array],
) -> Generator[None, None, Turn]:  # fmt: skip
    """Draws like `_turn`, less the result of each factor alone; in one texture the unlit lanes are the weights."""
    is_one = wiring.sources == wiring.weights
    chosen = lit(sources, share, random)
    zero, none = np.zeros(sources.count), np.zeros(0 if weights is None else weights.count)
    first = [np.where(chosen, values, 0.0) for values in (sources.one, sources.code, sources.check)]
    second = [none] * 3 if weights is None else [weights.one, weights.code, weights.check]
    second = [np.where(chosen, 0.0, values) for values in second] if is_one else second

    def made(one: Values, other: Values) -> Array:
        swapped.put(sources, one + other if is_one else one)
        if weights is not None and not is_one:
            swapped.put(weights, other)
        return drawn()

    nothing = made(zero, none)
    alone = [(made(one, none), made(zero, other)) for one, other in zip(first, second, strict=True)]
    yield
    draws = []
    for place, beside in ((0, 0), (1, 0), (0, 1), (2, 2)):
        draws.append(made(first[place], second[beside]) - alone[place][0] - alone[beside][1] + nothing)
        yield
    return chosen, np.stack(draws)


def _terms(plan: Plan, wiring: SumWiring, elements: Indices, wrong: NDArray[np.bool_]) -> int:
    """Returns how many products an element sums; 0 if unknown."""
    graph = plan.graph
    if graph is None:
        return 0
    element = next((int(e) for e in elements if wrong[e]), int(elements[0]))
    behind = element_of_sum(graph, wiring, element)
    reads = None if behind is None else reads_of(graph, wiring.node, behind)
    return 0 if reads is None else len(reads.get(wiring.positions[0], ()))


def _taken_from(
    plan: Plan, shader_pass: Pass, wiring: Wiring, elements: Indices, wrong: NDArray[np.bool_]
) -> Sequence[str]:
    """Returns keys of float textures of which an element reads at most one element and which no sum reads."""
    textures = plan.textures
    some = [int(e) for e in elements if wrong[e]][:_LOOKED_AT] or [int(elements[0])]
    reads = [expected_reads(plan.graph, shader_pass, textures, element) for element in some]
    if any(read is None for read in reads):
        return ()
    return [
        key
        for key in shader_pass.reads
        if key not in wiring.asked
        and key not in shader_pass.outputs
        and textures[key].dtype.startswith("float")
        and all(read is not None and len(read.get(key, ())) <= 1 for read in reads)
    ]


class _Swapped:
    """Holds textures in place of the pass's own, in float32 whatever the tensors' storage; freed at the end."""

    def __init__(self, session: Session, shader_pass: Pass, wiring: Wiring) -> None:
        self._session = session
        self._neutral = wiring.neutral
        self._keys = [
            key
            for key in shader_pass.reads
            if key not in shader_pass.outputs and (key in wiring.neutral or key in wiring.asked)
        ]
        self.textures: dict[str, moderngl.Texture] = {}
        self.filled: dict[str, float] = {}

    def __enter__(self) -> _Swapped:
        self.reset()
        return self

    def __exit__(self, *exception: object) -> None:
        for texture in self.textures.values():
            texture.release()

    def reset(self) -> None:
        """Fills every texture with neutral values."""
        for key in self._keys:
            stored = self._session.plan.textures[key]
            self.filled[key] = value = self._neutral.get(key, 0.0)
            there = stored.layout.address(stored.shape) >= 0
            self._write(key, np.where(there, np.float32(value), np.float32(0.0)))

    def put(self, lanes: ProbeLanes, values: NDArray[np.float64]) -> None:
        """Writes a number to each of some lanes."""
        for key, texels in lanes.textures(values).items():
            self._write(key, texels)

    def _write(self, key: str, texels: Array) -> None:
        if key not in self.textures:
            height, width, lanes = texels.shape
            texture = self._session.context.texture((width, height), lanes, dtype="f4", alignment=1)
            texture.filter, texture.repeat_x, texture.repeat_y = (moderngl.NEAREST,) * 2, False, False
            self.textures[key] = texture
        self.textures[key].write(np.ascontiguousarray(texels, dtype=np.float32), alignment=1)
