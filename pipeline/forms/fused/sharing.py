"""Which tensors of a fused run may share a texture: one whose last reader has run leaves its own to a later one.

Only textures of one size and format are shared, so that nothing is made or freed from run to run, and only tensors that
forms write: their steps write what they are told, while a plain pass keeps a framebuffer on its target.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from layouts.grid import Grid, ceil_div
from layouts.shapes import as_nchw
from pipeline.forms.form import Form
from pipeline.forms.fused.fusing import Item
from pipeline.plan import Plan, StoredTensor
from pipeline.planning.lifetimes import Step
from pipeline.planning.memory import texture_bytes

# Height and width in texels, lanes, storage; and a texture of that format by its number among those shared.
Format = tuple[int, int, int, str]
Share = tuple[Format, int]


def steps_of_items(plan: Plan, items: Iterable[Item]) -> tuple[Step, ...]:
    """A fused run as steps: what each item reads and writes, by key."""
    found = []
    for item in items:
        if isinstance(item, Form):
            found.append(Step(item.name, item.reads, (*item.writes, *item.parts)))
        else:
            each = plan.pass_called(item)
            found.append(Step(item, each.reads, each.outputs))
    return tuple(found)


def sharing(plan: Plan, items: Sequence[Item], keep: Collection[str] = ()) -> Mapping[str, Share]:
    """By key the texture that the tensor shares in a fused run; those that have one of their own are left out.

    What is kept to the end takes a texture over, if it leaves no texel of that as it was, and gives none away.
    """
    steps = steps_of_items(plan, items)
    last = {key: position for position, step in enumerate(steps) for key in (*step.reads, *step.writes)}
    by_forms = {key for item in items if isinstance(item, Form) for key in (*item.writes, *item.parts)}
    kept = {*keep, *plan.outputs}
    spare: defaultdict[Format, list[Share]] = defaultdict(list)
    made: Counter[Format] = Counter()
    found: dict[str, Share] = {}
    for position, step in enumerate(steps):
        for key in dict.fromkeys(step.writes):
            stored = plan.textures[key]
            if key in found or key not in by_forms or (key in kept and not _fills(stored)):
                continue
            kind = _format(stored)
            if not spare[kind]:
                spare[kind].append((kind, made[kind]))
                made[kind] += 1
            found[key] = spare[kind].pop()
        for key in dict.fromkeys((*step.reads, *step.writes)):
            if key in found and key not in kept and last[key] == position:
                spare[_format(plan.textures[key])].append(found[key])
    return found


def bytes_of(plan: Plan, items: Sequence[Item], shared: Mapping[str, Share]) -> int:
    """Bytes of the textures of inputs and activations in a fused run."""
    steps = steps_of_items(plan, items)
    used = {key for step in steps for key in (*step.reads, *step.writes) if plan.textures[key].role != "constant"}
    textures = {shared.get(key, key): texture_bytes(plan.textures[key]) for key in used}
    return sum(textures.values())


def _format(stored: StoredTensor) -> Format:
    return (*stored.texture_shape, stored.layout.lanes, stored.storage)


def _fills(stored: StoredTensor) -> bool:
    """Whether a form writes every texel of the texture: no tile of the grid is left over."""
    n, channels, _, _ = as_nchw(stored.shape)
    tiles = n * ceil_div(channels, 4)
    grid = Grid.of(tiles)
    return grid.columns * grid.rows == tiles
