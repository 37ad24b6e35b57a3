"""A whole run with as few steps as it takes: what follows a sum element by element happens before it is stored.

A *head* is a pass whose values are at hand, four channels at a time: a sum over a window, or a tensor that is read. The
passes after it that are element-wise join its form, and a concatenation of whole groups of channels costs nothing: each
part is stored where it belongs. What nobody outside of the forms reads is not stored at all; the plain passes make it
when somebody asks.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from texelscope.pipeline.device import Limits
from texelscope.pipeline.graph import Node
from texelscope.pipeline.lowerings.backend import best_form, dispatches
from texelscope.pipeline.lowerings.finish import MAX_STORES, Finish, Operation, ValueStore, has_groups
from texelscope.pipeline.lowerings.fusion.channel_sums import channel_forms
from texelscope.pipeline.lowerings.fusion.elements import Chains
from texelscope.pipeline.lowerings.fusion.matching import Matching
from texelscope.pipeline.lowerings.fusion.repeats import repeat_forms
from texelscope.pipeline.lowerings.fusion.weight_sums import weight_forms
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.lowerings.pointwise import Pointwise, pointwise
from texelscope.pipeline.lowerings.solo import NEEDS_VERSION, bias_of, takes_weights
from texelscope.pipeline.lowerings.window_sum import WindowSumLowering, window_sum
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.plan import Pass, Plan

# A form, or the name of a plain pass.
Item = Lowering | str
# Tensors that one form reads beside what it sums.
_MOST_OTHERS = 3
_MOST_OPERATIONS = 12


@dataclass
class _Head:
    """A form in the making. `values` counts those at hand, number 0 being the sum or what is read."""

    position: int
    name: str
    reads: str
    channels: int
    sum_: WindowSumLowering | None = None
    operations: list[Operation] = field(default_factory=list)
    covers: list[str] = field(default_factory=list)

    def add(self, operation: Operation) -> int:
        self.operations.append(operation)
        return len(self.operations)


@dataclass(frozen=True)
class _Slot:
    """A tensor, or a part of it from group `group` on, as value number `value` of a head."""

    head: _Head
    value: int
    group: int = 0


def schedule(plan: Plan, limits: Limits, keep: Collection[str] = (), plain: Collection[str] = ()) -> tuple[Item, ...]:
    """The run of the whole plan in order, that leaves valid the plan's outputs and the keys of `keep`.

    The passes called `plain` run by their own programs.
    """
    if plan.graph is None or limits.version < NEEDS_VERSION:
        return tuple(each.name for each in plan.passes)
    refused = set(plain)
    while True:
        fusing = _Fusing(plan, limits, frozenset(keep) | set(plan.outputs), refused)
        too_many = fusing.too_many()
        if not too_many:
            return fusing.items()
        refused |= too_many


class _Fusing:
    def __init__(self, plan: Plan, limits: Limits, keep: Collection[str], refused: Collection[str]) -> None:
        assert plan.graph is not None
        self._limits = limits
        self._plan = plan
        self._graph = plan.graph
        self._keep = keep
        self._refused = refused
        self._nodes: Mapping[str, Node] = {node.name: node for node in plan.graph.nodes}
        self._heads: dict[str, _Head] = {}
        self._slots: dict[str, tuple[_Slot, ...]] = {}
        self._made_at: dict[str, int] = {}
        self._read: set[str] = set(keep)
        self._fused: set[str] = set()
        # What these draws cost where forms are dispatches nobody has measured.
        draws = not dispatches(plan.backend, limits)
        passes = Matching(plan, plan.graph, keep, refused)
        backward = (
            [*weight_forms(passes, limits), *repeat_forms(passes, limits), *channel_forms(passes)] if draws else []
        )
        self._backward = {form.covers[-1]: form for form in backward}
        self._covered = {name for form in backward for name in form.covers}
        self._chains = Chains(plan, plan.graph, keep) if draws else None
        for position, each in enumerate(plan.passes):
            self._place(position, each)
        self._stores = self._stores_of_heads()
        self._chained = self._chains.forms(self._read) if self._chains is not None else {}
        self._fused.update(name for form in self._chained.values() for name in form.covers[1:])

    # -- who joins whom ------------------------------------------------------------------------------------

    def _place(self, position: int, each: Pass) -> None:
        """The pass joins forms that are there, begins one, or stays as it is."""
        if each.name in self._covered:
            self._place_backward(position, each)
            return
        joins = each.from_operator and each.name not in self._refused
        has_channels = joins and has_groups(self._plan.textures[each.output])
        if has_channels and (self._join(each) or self._begin_sum(position, each)):
            return
        if not (joins and self._chain(position, each)) and not (has_channels and self._begin_texels(position, each)):
            self._read.update(each.reads)
            for key in each.outputs:
                self._made_at[key] = position

    def _place_backward(self, position: int, each: Pass) -> None:
        """The pass is one of those that a form of a gradient covers; what it writes is there after the last of them."""
        form = self._backward.get(each.name)
        if form is None:
            self._fused.add(each.name)
            return
        self._read.update(form.reads)
        for key in form.writes:
            self._made_at[key] = position

    def _begin_sum(self, position: int, each: Pass) -> bool:
        """The pass is a sum over a window, which a form computes."""
        call = Call(self._nodes[each.nodes[0]], self._graph)
        found = window_sum(call)
        if found is None or not self._reads_groups(call) or not takes_weights(found, self._plan, self._limits):
            return False
        head = _Head(position, each.name, call.node.inputs[0], found.outputs, found, covers=[each.name])
        self._begin(each, head, head.add(bias_of(found)) if found.bias else 0)
        self._read.update(found.given)
        return True

    def _begin_texels(self, position: int, each: Pass) -> bool:
        """The pass is of the texels of a tensor that is read, as the sum of one slice of it."""
        call = Call(self._nodes[each.nodes[0]], self._graph)
        found = pointwise(call)
        if found is None or not self._reads_groups(call) or found.operands != call.node.inputs[:1]:
            return False
        head = _Head(position, each.name, call.node.inputs[0], call.output_shape()[1], covers=[each.name])
        self._begin(each, head, head.add(found.make((0,), slice(0, head.channels))))
        return True

    def _reads_groups(self, call: Call) -> bool:
        x = call.node.inputs[0] if call.node.inputs else ""
        return x in self._plan.textures and has_groups(self._plan.textures[x])

    def _begin(self, each: Pass, head: _Head, value: int) -> None:
        self._heads[each.name] = head
        self._read.add(head.reads)
        self._slots[each.output] = (_Slot(head, value),)
        self._made_at[each.output] = head.position

    def _chain(self, position: int, each: Pass) -> bool:
        """The pass works element by element, alone or together with others."""
        found = self._chains.take(position, each, self._made_at) if self._chains is not None else None
        if found is None:
            return False
        self._read.update(found.read)
        self._made_at[each.output] = found.position
        return True

    def _join(self, each: Pass) -> bool:
        call = Call(self._nodes[each.nodes[0]], self._graph)
        if call.node.op_type == "Concat":
            return self._join_parts(each, call)
        found = pointwise(call)
        if found is None or any(len(slot.head.operations) >= _MOST_OPERATIONS for slot in self._slots_of(found)):
            return False
        if len(found.operands) == 1:
            (key,) = found.operands
            if key not in self._slots:
                return False
            self._extend(each, found, self._slots[key])
            return True
        return self._join_two(each, found)

    def _slots_of(self, found: Pointwise) -> list[_Slot]:
        return [slot for key in found.operands for slot in self._slots.get(key, ())]

    def _extend(self, each: Pass, found: Pointwise, slots: tuple[_Slot, ...]) -> None:
        made = []
        for slot in slots:
            value = slot.head.add(found.make((slot.value,), slice(4 * slot.group, 4 * slot.group + slot.head.channels)))
            made.append(_Slot(slot.head, value, slot.group))
        self._take(each, tuple(made))

    def _take(self, each: Pass, slots: tuple[_Slot, ...]) -> None:
        self._slots[each.output] = slots
        self._made_at[each.output] = max(slot.head.position for slot in slots)
        self._fused.add(each.name)
        for slot in slots:
            if each.name not in slot.head.covers:
                slot.head.covers.append(each.name)

    def _join_two(self, each: Pass, found: Pointwise) -> bool:
        """One operand is at hand in a form, and the other one too or made before that form runs."""
        whole = {key: self._slots[key][0] for key in found.operands if len(self._slots.get(key, ())) == 1}
        for key in sorted(whole, key=lambda key: -whole[key].head.position):
            head = whole[key].head
            operands: list[int | str] = []
            for other in found.operands:
                if other in whole and whole[other].head is head:
                    operands.append(whole[other].value)
                elif self._is_there(other, head.position):
                    operands.append(other)
                else:
                    break
            others = {operation.other for operation in head.operations if operation.other}
            others.update(each for each in operands if isinstance(each, str))
            if len(operands) < len(found.operands) or len(others) > _MOST_OTHERS:
                continue
            self._read.update(each for each in operands if isinstance(each, str))
            self._take(each, (_Slot(head, head.add(found.make(tuple(operands), slice(0, head.channels)))),))
            return True
        return False

    def _is_there(self, key: str, position: int) -> bool:
        """Whether the tensor is in a texture that a form can read before the pass at `position` runs."""
        stored = self._plan.textures.get(key)
        if stored is None or not has_groups(stored) or stored.role == "constant":
            return False
        return stored.role == "input" or self._made_at[key] < position

    def _join_parts(self, each: Pass, call: Call) -> bool:
        if call.axis(default=1) != 1 or any(name not in self._slots for name in call.node.inputs):
            return False
        slots: list[_Slot] = []
        group = 0
        for name in call.node.inputs:
            channels = self._plan.textures[name].shape[1]
            if group % 4:
                return False
            slots.extend(_Slot(slot.head, slot.value, slot.group + group // 4) for slot in self._slots[name])
            group += channels
        self._take(each, tuple(slots))
        return True

    # -- what is stored ------------------------------------------------------------------------------------

    def _stores_of_heads(self) -> Mapping[str, list[ValueStore]]:
        stores: defaultdict[str, list[ValueStore]] = defaultdict(list)
        for key, slots in self._slots.items():
            if key in self._read:
                for slot in slots:
                    stores[slot.head.name].append(ValueStore(slot.value, key, slot.group))
        return stores

    def too_many(self) -> set[str]:
        """Passes that have to stay out of forms, since theirs would store more than a draw can."""
        full = [head for head in self._heads.values() if len(self._stores[head.name]) > MAX_STORES]
        chains = self._chains.too_many(self._read) if self._chains is not None else set()
        return chains.union(head.covers[-1] for head in full)

    # -- the run -------------------------------------------------------------------------------------------

    def items(self) -> tuple[Item, ...]:
        """Forms and names of plain passes, in order."""
        found: list[Item] = []
        for each in self._plan.passes:
            if each.name in self._fused:
                continue
            head = self._heads.get(each.name)
            whole: Item = self._backward.get(each.name) or self._chained.get(each.name) or each.name
            found.append(whole if head is None else self._form(head))
        return tuple(found)

    def _form(self, head: _Head) -> Lowering:
        finish, textures = Finish(tuple(head.operations), tuple(self._stores[head.name])), self._plan.textures
        form = best_form(head.sum_, head.reads, finish, head.covers, textures, self._limits, self._plan.backend)
        whole = tuple(key for key in form.writes if self._made_at[key] == head.position)
        parts = tuple(key for key in form.writes if key not in whole)
        return dataclasses.replace(form, writes=whole, parts=parts)
