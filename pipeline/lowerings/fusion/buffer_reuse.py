"""Places the tensors of a fused run: which share a texture, and which textures are freed while they are empty.

After its last reader a tensor leaves its texture to a later one of the same size and format. If sizes differ
from layer to layer that alone would hold far more than the tensors alive at once: textures, and the scratch of forms,
are then freed while empty, and created again before they are written. As few as possible, since creating one costs
time in every run.

The buffer in which the work groups of a dispatch leave the parts of their sums can be freed too: it
is in use during few steps. `pipeline.lowerings.solo` sets its largest size.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from texelscope.layouts.grid import Grid, ceil_div
from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.lowerings.fusion.fusing import Item
from texelscope.pipeline.lowerings.fusion.room import (
    BufferSpans,
    Format,
    Room,
    Share,
    format_of,
    gaps_to_free,
    most_held,
)
from texelscope.pipeline.lowerings.lowering import Lowering, Scratch
from texelscope.pipeline.plan import Plan, StoredTensor
from texelscope.pipeline.planning.memory import PlannedRun, memory_use, texture_bytes

# The most that a run holds, relative to the largest set of tensors alive at once.
MOST_OF_ALIVE = 1.3
_NONE: Mapping[str, Lowering] = {}


@dataclass(frozen=True)
class MostHeld:
    """Counts the most `bytes` that a run holds: inputs, activations and scratch together, without weights.

    `alive` are those of the inputs and of the largest set of activations that is alive at once.
    """

    bytes: int
    alive: int

    @property
    def ratio(self) -> float:
        """Returns the held over the alive bytes."""
        return self.bytes / self.alive if self.alive else 1.0


@dataclass(frozen=True)
class Sharing:
    """Holds `textures`: by key the one that the tensor shares; tensors with their own texture are left out.

    `freed`, one tuple per item and one for the end: what is empty from there on, and is freed before the item runs.
    `buffers`: bytes of each scratch buffer, by name, enough for every form.
    """

    textures: Mapping[str, Share]
    freed: tuple[tuple[Room, ...], ...]
    held: MostHeld
    buffers: Mapping[str, int]


def steps_of_items(plan: Plan, items: Sequence[Item]) -> tuple[PlannedRun, ...]:
    """Returns a fused run as steps: what each item reads and writes, by key."""
    found = []
    for item in items:
        if isinstance(item, Lowering):
            found.append(PlannedRun(item.name, item.reads, (*item.writes, *item.parts)))
        else:
            each = plan.pass_called(item)
            found.append(PlannedRun(item, each.reads, each.outputs))
    return tuple(found)


def sharing(
    plan: Plan,
    items: Sequence[Item],
    keep: Collection[str] = (),
    *,
    solo: Mapping[str, Lowering] = _NONE,
    plain: Collection[str] = (),
) -> Sharing:
    """Places the tensors of a run of `items` that computes the plan's outputs and the keys of `keep`.

    `solo` are the forms of passes that run alone. The tensors that `plain` passes, a person's own shaders, read
    and write have their own textures: the shaders may read leftovers. A tensor kept to the end inherits a texture
    only if it overwrites every texel, and passes none on.
    """
    found = _Found(plan, steps_of_items(plan, items), frozenset({*keep, *plan.outputs}))
    forms = [item if isinstance(item, Lowering) else solo.get(item) for item in items]
    found.place(_own(plan, items, forms, plain, found))
    for position, form in enumerate(forms):
        if form is not None:
            found.use_scratch(position, form)
    alive = memory_use(plan, found.steps).alive
    uses, end = tuple(found.uses.values()), len(items)
    gaps = gaps_to_free(uses, end, int(MOST_OF_ALIVE * alive) - found.own_bytes)
    freed: list[list[Room]] = [[] for _ in range(end + 1)]
    for room, gap in gaps:
        freed[gap.first].append(room)
    held = MostHeld(found.own_bytes + most_held(uses, end, gaps), alive)
    buffers = {use.room: use.bytes for use in uses if isinstance(use.room, str)}
    return Sharing(found.textures, tuple(tuple(rooms) for rooms in freed), held, buffers)


def _own(
    plan: Plan, items: Sequence[Item], forms: Sequence[Lowering | None], plain: Collection[str], found: _Found
) -> frozenset[str]:
    """Returns keys of the tensors with their own textures."""
    own = {key for key, stored in plan.textures.items() if stored.role != "activation"}
    for item, form, step in zip(items, forms, found.steps, strict=True):
        if isinstance(item, str) and (item in plain or not plan.pass_called(item).from_operator):
            own.update((*step.reads, *step.writes))
        elif form is not None:  # it writes no padding, which is read where a tensor is kept
            kept = found.kept.intersection(step.writes)
            own.update(key for key in kept if isinstance(item, str) or not _fills(plan.textures[key]))
    return frozenset(own)


@dataclass
class _Found:
    """A sharing under construction; `uses` by room."""

    plan: Plan
    steps: tuple[PlannedRun, ...]
    kept: frozenset[str]
    textures: dict[str, Share] = field(default_factory=dict)
    uses: dict[Room, BufferSpans] = field(default_factory=dict)
    own_bytes: int = 0

    def place(self, own: Collection[str]) -> None:
        """Gives every activation without its own texture a shared one."""
        spare: defaultdict[Format, list[Share]] = defaultdict(list)
        made: Counter[Format] = Counter()
        last = {key: position for position, step in enumerate(self.steps) for key in (*step.reads, *step.writes)}
        self.own_bytes = sum(
            texture_bytes(self.plan.textures[key])
            for key in last
            if key in own and self.plan.textures[key].role != "constant"
        )
        for position, step in enumerate(self.steps):
            for key in dict.fromkeys(step.writes):
                if key in own or key in self.textures:
                    continue
                kind = format_of(self.plan.textures[key])
                if not spare[kind]:
                    spare[kind].append((kind, made[kind]))
                    made[kind] += 1
                share = self.textures[key] = spare[kind].pop()
                end = len(self.steps) if key in self.kept else last[key]
                self._use(share, texture_bytes(self.plan.textures[key]), position, end)
            for key in dict.fromkeys((*step.reads, *step.writes)):
                if key in self.textures and key not in self.kept and last[key] == position:
                    spare[self.textures[key][0]].append(self.textures[key])

    def use_scratch(self, position: int, form: Lowering) -> None:
        """Records that the form runs at that position."""
        for scratch in form.scratch:
            self._use(scratch, scratch_bytes(scratch), position, position)
        for name, byte_count in form.buffers:
            self._use(name, byte_count, position, position)

    def _use(self, room: Room, byte_count: int, first: int, last: int) -> None:
        before = self.uses.get(room, BufferSpans(room, 0, ()))
        spans = (*before.spans, (first, last))
        self.uses[room] = BufferSpans(room, max(before.bytes, byte_count), spans)


def scratch_bytes(scratch: Scratch) -> int:
    """Returns bytes of a scratch texture, which has four lanes."""
    return max(scratch.layers, 1) * scratch.height * scratch.width * 4 * (4 if scratch.storage == "float32" else 2)


def _fills(stored: StoredTensor) -> bool:
    """Whether a form writes every texel of the texture: no tile of the grid is left over."""
    n, channels, _, _ = as_nchw(stored.shape)
    tiles = n * ceil_div(channels, 4)
    grid = Grid.of(tiles)
    return grid.columns * grid.rows == tiles
