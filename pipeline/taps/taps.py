"""What an element read against what it should have read: texels mapped to tensor elements by the layouts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pipeline.errors import TexelscopeError
from pipeline.graph import Graph
from pipeline.operators.base import Call, table_name
from pipeline.operators.registry import all_operators
from pipeline.plan import Pass, Sampler, StoredTensor
from pipeline.taps.instrument import Site
from pipeline.taps.recorder import Read, TapRecorder

if TYPE_CHECKING:
    from pipeline.session import Session

# A read closer than this to the border of two texels (in texels) is the driver's to decide.
EDGE_TEXELS = 1e-3


@dataclass(frozen=True)
class Tap:
    """One read of one texel: where it is written (`site`), which texel, which tensor elements that is.

    `elements` are linear indices, empty where only padding was read. `on_edge` says that the coordinates lie
    on the border between two texels, `outside` that they left the texture before wrapping.
    """

    key: str
    tx: int
    ty: int
    elements: tuple[int, ...]
    value: tuple[float, float, float, float]
    site: Site
    on_edge: bool
    outside: bool


@dataclass(frozen=True)
class Taps:
    """The taps of one output element, and by texture key the elements that it should read.

    Where the shader works out all lanes of a texel at once, both are those of all the texel's elements.
    `expected` is None where the operator does not say. `unexpected` and `missing` are the two differences.
    """

    element: int
    reads: tuple[Tap, ...]
    expected: Mapping[str, frozenset[int]] | None

    def read_elements(self) -> dict[str, frozenset[int]]:
        """By texture key, the elements that were read."""
        found: dict[str, set[int]] = {}
        for tap in self.reads:
            found.setdefault(tap.key, set()).update(tap.elements)
        return {key: frozenset(elements) for key, elements in found.items()}

    def unexpected(self) -> dict[str, frozenset[int]]:
        """Read, but not expected."""
        expected = self.expected or {}
        found = {key: elements - expected.get(key, frozenset()) for key, elements in self.read_elements().items()}
        return {key: elements for key, elements in found.items() if elements} if self.expected is not None else {}

    def missing(self) -> dict[str, frozenset[int]]:
        """Expected, but not read."""
        read = self.read_elements()
        found = {key: elements - read.get(key, frozenset()) for key, elements in (self.expected or {}).items()}
        return {key: elements for key, elements in found.items() if elements}


def taps(session: Session, recorder: TapRecorder, name: str, place: tuple[int, ...] | int) -> Taps:
    """The taps of one element of a pass's output, given by its index in the logical shape or linearly.

    Raises TexelscopeError for an index outside the tensor, UnsupportedError where reads cannot be recorded.
    """
    each = session.plan.find(name)
    if each is None:
        raise TexelscopeError(f"pass '{name}'", "a pass of the plan", "another name", "See session.plan.passes.")
    stored = session.plan.textures[each.output]
    element = _linear(each, stored, place)
    tx, ty, lane = stored.layout.texel_of(stored.shape, element)
    reads = recorder.record(each.name, tx, ty, lane)
    samplers = {sampler.uniform: sampler for sampler in each.samplers}
    found: list[Tap] = []
    for read in reads:
        if read.sampler in samplers:
            found.extend(_taps_of(read, samplers[read.sampler], session.plan.textures[samplers[read.sampler].key]))
    together = [element]
    if stored.layout.lanes > 1 and not recorder.lanes_apart(each.name):
        together = [
            index
            for lane in range(stored.layout.lanes)
            if (index := stored.layout.index_of(stored.shape, tx, ty, lane)) >= 0
        ]
    expected = [expected_reads(session.plan.graph, each, session.plan.textures, index) for index in together]
    return Taps(element, tuple(found), _union(expected))


def _union(reads: Sequence[dict[str, frozenset[int]] | None]) -> dict[str, frozenset[int]] | None:
    """By texture key, what any of them has; None if it is not known of one."""
    known = [each for each in reads if each is not None]
    keys = {key for each in known for key in each}
    if len(known) < len(reads):
        return None
    return {key: frozenset().union(*(each.get(key, frozenset()) for each in known)) for key in keys}


def expected_reads(
    graph: Graph | None, each: Pass, textures: Mapping[str, StoredTensor], element: int
) -> dict[str, frozenset[int]] | None:
    """By texture key, the elements that `element` of the pass's output should read; None where that is not known.

    Follows the nodes that the pass covers from its output back to the tensors that it reads.
    """
    if graph is None:
        return None
    keys = {textures[sampler.key].tensor: sampler.key for sampler in each.samplers}
    producers = {output: node for node in graph.nodes for output in node.outputs if output}
    found: dict[str, set[int]] = {}
    pending = [(textures[each.output].tensor, frozenset({element}))]
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
        operator = all_operators().get(node.op_type)
        if operator is None:
            return None
        call, output = Call(node, graph), node.outputs.index(tensor)
        needed: dict[int, set[int]] = {}
        for index in elements:
            reads = operator.reads_of(call, index, output)
            if reads is None:
                return None
            for accessor, sources in operator.table_reads(call, index).items():
                if (key := keys.get(table_name(node.name, accessor))) is not None:
                    found.setdefault(key, set()).update(int(source) for source in sources)
            for position, sources in reads.items():
                needed.setdefault(position, set()).update(int(source) for source in sources)
        pending.extend((node.inputs[position], frozenset(sources)) for position, sources in needed.items())
    return {key: frozenset(elements) for key, elements in found.items()}


def _linear(each: Pass, stored: StoredTensor, place: tuple[int, ...] | int) -> int:
    count = math.prod(stored.shape)
    try:
        element = place if isinstance(place, int) else int(np.ravel_multi_index(place, stored.shape))
    except ValueError:
        element = -1
    if not 0 <= element < count:
        raise TexelscopeError(
            f"taps of '{each.name}'",
            f"an element of a tensor of shape {list(stored.shape)}",
            str(place),
            "Choose another.",
        )
    return element


def _taps_of(read: Read, sampler: Sampler, stored: StoredTensor) -> list[Tap]:
    """The texels behind one read: one with nearest filtering, up to four with linear."""
    height, width = stored.texture_shape
    x, y = read.position
    if not (math.isfinite(x) and math.isfinite(y)):
        return []
    found = []
    edge = any(abs(value - round(value)) < EDGE_TEXELS for value in (x, y)) and sampler.filter == "nearest"
    for tx, ty in _texels(x, y, sampler):
        inside = 0 <= tx < width and 0 <= ty < height
        wx, wy = _wrapped(tx, width, sampler.wrap), _wrapped(ty, height, sampler.wrap)
        lanes = [lane for lane in range(stored.layout.lanes) if read.lanes >> lane & 1]
        indices = (stored.layout.index_of(stored.shape, wx, wy, lane) for lane in lanes)
        elements = tuple(index for index in indices if index >= 0)
        found.append(Tap(sampler.key, wx, wy, elements, read.value, read.site, edge, not inside))
    return found


def _texels(x: float, y: float, sampler: Sampler) -> list[tuple[int, int]]:
    if sampler.filter == "nearest":
        return [(math.floor(x), math.floor(y))]
    columns = {math.floor(x - 0.5), math.ceil(x - 0.5)}
    rows = {math.floor(y - 0.5), math.ceil(y - 0.5)}
    return [(column, row) for row in sorted(rows) for column in sorted(columns)]


def _wrapped(position: int, size: int, wrap: str) -> int:
    if wrap == "repeat":
        return position % size
    return min(max(position, 0), size - 1)
