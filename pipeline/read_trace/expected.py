"""Compares the reads of an element with the expected ones; layouts map texels to tensor elements."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.operators.base import Call, table_name
from texelscope.pipeline.operators.families.registry import operator_of
from texelscope.pipeline.plan import Pass, Sampler, StoredTensor
from texelscope.pipeline.planning.sampler_views import is_tensor_of
from texelscope.pipeline.read_trace.effective_reads import Lane, OneDispatch, OneTexel, has_element, that_matter
from texelscope.pipeline.read_trace.kinds import texels_through
from texelscope.pipeline.read_trace.recorder import ReadRecorder
from texelscope.pipeline.read_trace.recording import ReadRecording, ReadSite

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]

_NONE: frozenset[int] = frozenset()
# A read closer than this to the border of two texels (in texels) is the driver's to decide.
EDGE_TEXELS = 1e-3


@dataclass(frozen=True)
class ElementRead:
    """Describes one read of one texel: its place in the text (`site`), its texel, and that texel's elements.

    `elements` are linear indices, empty where only padding was read. `on_edge` says that the coordinates lie
    on the border between two texels, `outside` that they left the texture before wrapping. `padding` are the lanes
    read that hold no element.
    """

    key: str
    tx: int
    ty: int
    elements: tuple[int, ...]
    value: tuple[float, float, float, float]
    site: ReadSite
    on_edge: bool
    outside: bool
    padding: tuple[int, ...] = ()


@dataclass(frozen=True)
class ReadTrace:
    """Holds the taps of one output element, and by texture key the elements that it should read.

    Where the shader computes all lanes of a texel at once, both are those of all the texel's elements. `expected` is
    None where the operator does not declare its reads. `unexpected` and `missing` are the two differences. Among
    unexpected reads, `idle` are by texture key the elements without any effect on this one, `padding` the texels (tx,
    ty) whose padding has one: other contents would change this element.
    """

    element: int
    reads: tuple[ElementRead, ...]
    expected: Mapping[str, frozenset[int]] | None
    idle: Mapping[str, frozenset[int]] = field(default_factory=lambda: MappingProxyType({}))
    padding: Mapping[str, frozenset[tuple[int, int]]] = field(default_factory=lambda: MappingProxyType({}))

    def read_elements(self) -> dict[str, frozenset[int]]:
        """By texture key, the elements that were read."""
        return self._read

    @cached_property
    def _read(self) -> dict[str, frozenset[int]]:
        found: dict[str, set[int]] = {}
        for tap in self.reads:
            found.setdefault(tap.key, set()).update(tap.elements)
        return {key: frozenset(elements) for key, elements in found.items()}

    def unexpected(self) -> dict[str, frozenset[int]]:
        """The elements that were read with effect, but not expected."""
        if self.expected is None:
            return {}
        found = {
            key: elements - self.expected.get(key, _NONE) - self.idle.get(key, _NONE)
            for key, elements in self.read_elements().items()
        }
        return {key: elements for key, elements in found.items() if elements}

    def is_wrong(self, tap: ElementRead) -> bool:
        """Whether the tap read with effect what it should not have read, an element or padding."""
        if self.expected is None:
            return False
        if tap.padding and (tap.tx, tap.ty) in self.padding.get(tap.key, frozenset()):
            return True
        expected, idle = self.expected.get(tap.key, _NONE), self.idle.get(tap.key, _NONE)
        return any(element not in expected and element not in idle for element in tap.elements)

    def missing(self) -> dict[str, frozenset[int]]:
        """The elements that were expected, but not read."""
        read = self.read_elements()
        found = {key: elements - read.get(key, frozenset()) for key, elements in (self.expected or {}).items()}
        return {key: elements for key, elements in found.items() if elements}


def taps(
    session: Session, recorder: ReadRecorder, name: str, place: tuple[int, ...] | int, graph: Graph | None = None
) -> ReadTrace:
    """Returns the taps of one element of a pass's output, given by its index in the logical shape or linearly.

    `graph` says what is expected; by default the plan's own. Raises TexelscopeError for an index outside the tensor,
    UnsupportedError where reads cannot be recorded.
    """
    each, stored, element = _asked(session, name, place)
    tx, ty, lane = stored.layout.texel_of(stored.shape, element)
    found = _taps_of(recorder.record(each.called, tx, ty, lane), each, session.plan.textures)
    together = [element]
    if stored.layout.lanes > 1 and not recorder.lanes_apart(each.called):
        together = [
            index
            for lane in range(stored.layout.lanes)
            if (index := stored.layout.index_of(stored.shape, tx, ty, lane)) >= 0
        ]
    graph = session.plan.graph if graph is None else graph
    expected = _union([expected_reads(graph, each, session.plan.textures, index) for index in together])
    recorded = ReadTrace(element, found, expected)
    if expected is None:
        return recorded
    return _judged(
        session, recorder, each, recorded, [stored.layout.texel_of(stored.shape, index) for index in together]
    )


def reads_made(
    session: Session, recorder: ReadRecorder, name: str, place: tuple[int, ...] | int
) -> tuple[ElementRead, ...]:
    """Returns the reads of one element as `taps` does, in a fraction of the time: nothing says what was expected."""
    each, stored, element = _asked(session, name, place)
    return _taps_of(
        recorder.record(each.called, *stored.layout.texel_of(stored.shape, element)), each, session.plan.textures
    )


def _asked(session: Session, name: str, place: tuple[int, ...] | int) -> tuple[Pass, StoredTensor, int]:
    """Returns a pass, its output and the linear index of an element. Raises TexelscopeError where one is missing."""
    each = session.plan.find(name)
    if each is None:
        raise TexelscopeError(f"pass '{name}'", "a pass of the plan", "another name", "See session.plan.passes.")
    stored = session.plan.textures[each.output]
    return each, stored, element_at(f"taps of '{each.name}'", stored, place)


def _judged(
    session: Session, recorder: ReadRecorder, shader_pass: Pass, recorded: ReadTrace, lanes: Sequence[Lane]
) -> ReadTrace:
    """Returns the taps of some lanes of one texel, with the known effects of their unexpected reads."""
    unexpected, idle, padding = recorded.unexpected(), {}, {}
    for key in shader_pass.reads:
        stored = session.plan.textures[key]
        elements = {stored.layout.texel_of(stored.shape, element): element for element in unexpected.get(key, _NONE)}
        read = [tap for tap in recorded.reads if tap.key == key and tap.padding]
        beside = {(tap.tx, tap.ty, lane) for tap in read for lane in tap.padding}
        if not elements and not beside:
            continue
        if session.has_run(shader_pass.name):
            with (
                OneDispatch(session, shader_pass, lanes)
                if shader_pass.dispatch is not None
                else OneTexel(session, shader_pass, *recorder.output_program(shader_pass), lanes)
            ) as again:
                matter = that_matter(session, stored, [*elements, *beside], again)
        else:
            matter = frozenset([*elements, *(lane for lane in beside if not has_element(stored, lane))])
        idle[key] = frozenset(element for lane, element in elements.items() if lane not in matter)
        padding[key] = frozenset((tx, ty) for tx, ty, lane in beside & matter)
    return replace(recorded, idle=MappingProxyType(idle), padding=MappingProxyType(padding))


def _union(reads: Sequence[dict[str, frozenset[int]] | None]) -> dict[str, frozenset[int]] | None:
    """Returns by texture key the elements of any of them; None if one is unknown."""
    known = [each for each in reads if each is not None]
    keys = {key for each in known for key in each}
    if len(known) < len(reads):
        return None
    return {key: frozenset().union(*(each.get(key, frozenset()) for each in known)) for key in keys}


def expected_reads(
    graph: Graph | None, shader_pass: Pass, textures: Mapping[str, StoredTensor], element: int
) -> dict[str, frozenset[int]] | None:
    """Returns by texture key the elements that `element` of the pass's output should read; None where unknown.

    Follows the nodes that the pass covers from its output back to the tensors that it reads.
    """
    if graph is None:
        return None
    keys = {textures[key].tensor: key for key in shader_pass.reads}
    producers = {output: node for node in graph.nodes for output in node.outputs if output}
    found: dict[str, set[int]] = {}
    pending = [(textures[shader_pass.output].tensor, frozenset({element}))]
    first = True
    while pending:
        tensor, elements = pending.pop()
        if tensor in keys and not first:
            found.setdefault(keys[tensor], set()).update(elements)
            continue
        node = producers.get(tensor)
        first = False
        if node is None:
            if tensor in graph.constants:
                continue  # a constant that the shader has built in
            return None
        operator = operator_of(node)
        if operator is None:
            return None
        call, output = Call(node, graph), node.outputs.index(tensor)
        needed: dict[int, set[int]] = {}
        has_tables = any(each.startswith(table_name(node.name, "")) for each in keys)
        for index in elements:
            reads = operator.reads_of(call, index, output)
            if reads is None:
                return None
            for accessor, sources in operator.table_reads(call, index).items() if has_tables else ():
                if (key := keys.get(table_name(node.name, accessor))) is not None:
                    found.setdefault(key, set()).update(int(source) for source in sources)
            for position, sources in reads.items():
                needed.setdefault(position, set()).update(int(source) for source in sources)
        pending.extend((node.inputs[position], frozenset(sources)) for position, sources in needed.items())
    return {key: frozenset(elements) for key, elements in found.items()}


def element_at(who: str, stored: StoredTensor, place: tuple[int, ...] | int) -> int:
    """Returns the linear index of an element, given by its index in the logical shape or linearly.

    Raises TexelscopeError, naming `who`, where the tensor has no such element.
    """
    count = math.prod(stored.shape)
    try:
        element = place if isinstance(place, int) else int(np.ravel_multi_index(place, stored.shape))
    except ValueError:
        element = -1
    if not 0 <= element < count:
        expected = f"an element of a tensor of shape {list(stored.shape)}"
        raise TexelscopeError(who, expected, str(place), "Choose another.")
    return element


def _taps_of(
    recording: ReadRecording, shader_pass: Pass, textures: Mapping[str, StoredTensor]
) -> tuple[ElementRead, ...]:
    """Returns the texels behind the reads, in order: one with nearest filtering, up to four with linear."""
    found: list[tuple[int, ElementRead]] = []
    for sampler in shader_pass.readers:
        if sampler.uniform in recording.samplers:
            number = recording.samplers.index(sampler.uniform)
            reads = np.flatnonzero((recording.sampler == number) & np.isfinite(recording.positions).all(axis=1))
            taps = _of_sampler(recording, reads, sampler, textures[sampler.key])
            found.extend(tap for tap in taps if is_tensor_of(shader_pass, sampler, tap[1].tx, tap[1].ty, textures))
    return tuple(tap for _, tap in sorted(found, key=lambda pair: pair[0]))


def _of_sampler(
    recording: ReadRecording, reads: Indices, sampler: Sampler, stored: StoredTensor
) -> Iterator[tuple[int, ElementRead]]:
    """Yields the taps of those reads (numbers of the recording), each with its number, in order."""
    positions = recording.positions[reads]
    near = np.any(np.abs(positions - np.rint(positions)) < EDGE_TEXELS, axis=1)
    edge: Flags = np.asarray(near) & np.bool_(sampler.filter == "nearest")
    numbers, wrapped, inside = texels_behind(positions, sampler, stored)
    lanes = np.arange(stored.layout.lanes)
    used = recording.lanes[reads][numbers][:, None] >> lanes & 1
    indices = stored.layout.indices_at(stored.shape, wrapped[:, :1], wrapped[:, 1:], lanes[None, :])
    elements_used = np.where(used, indices, -1)
    beside = used & (indices < 0)
    rows = zip(
        numbers.tolist(), wrapped.tolist(), elements_used.tolist(), beside.tolist(), inside.tolist(), strict=True
    )  # fmt: skip
    sites, values = recording.site[reads].tolist(), recording.values[reads].tolist()
    for number, (tx, ty), elements, unused, is_inside in rows:
        there = tuple(index for index in elements if index >= 0)
        x, y, z, w = values[number]
        site = recording.sites[sites[number]]
        padding = tuple(lane for lane, is_padding in enumerate(unused) if is_padding)
        on_edge = bool(edge[number])
        yield (
            int(reads[number]),
            ElementRead(sampler.key, tx, ty, there, (x, y, z, w), site, on_edge, not is_inside, padding),
        )


def texels_behind(
    positions: NDArray[np.float64], sampler: Sampler, stored: StoredTensor
) -> tuple[Indices, Indices, Flags]:
    """Returns for positions [reads, 2] of a log the number of the read and the texels [texels, 2] of the texture.

    They are wrapped, or clamped; the third says which were inside before.
    """
    if sampler.kind.form != "2D":
        through = texels_through(positions, sampler, stored)
        return np.arange(len(positions)), through.texels, through.inside
    numbers, texels = texels_read(positions, sampler)
    height, width = stored.texture_shape
    inside: Flags = np.asarray(np.all((texels >= 0) & (texels < np.array((width, height))), axis=1))
    return numbers, wrapped_into(texels, (width, height), sampler.wrap), inside


def texels_read(positions: NDArray[np.float64], sampler: Sampler) -> tuple[Indices, Indices]:
    """Returns for positions [reads, 2] the number of the read and the texels [texels, 2] it read, before wrapping."""
    count = len(positions)
    if sampler.filter == "nearest":
        return np.arange(count), np.floor(positions).astype(np.int64)
    first, last = np.floor(positions - 0.5).astype(np.int64), np.ceil(positions - 0.5).astype(np.int64)
    numbers, texels = [], []
    for row in (first, last):
        for column in (first, last):
            again = (row is last) & (first[:, 1] == last[:, 1]) | (column is last) & (first[:, 0] == last[:, 0])
            numbers.append(np.flatnonzero(~again))
            texels.append(np.stack([column[:, 0], row[:, 1]], axis=1)[~again])
    order = np.argsort(np.concatenate(numbers), kind="stable")
    return np.concatenate(numbers)[order], np.concatenate(texels)[order]


def wrapped_into(texels: Indices, size: tuple[int, int], wrap: str) -> Indices:
    """Wraps texels [texels, 2] as a texture of that width and height does."""
    return texels % size if wrap == "repeat" else np.clip(texels, 0, np.array(size) - 1)
