"""Fuses a whole run into the fewest steps: per-element passes after a sum run before it is stored.

A *head* is a pass whose values are available four channels at a time: a sum over a window, or a tensor to read. The
passes after it that are element-wise join its form, and a concatenation of whole groups of channels costs nothing: each
part is stored in its place. Tensors that only forms read are not stored; the plain passes compute them
on demand.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from texelscope.pipeline.device import Limits
from texelscope.pipeline.graph import Node
from texelscope.pipeline.lowerings.finish import MAX_STORES, Finish, Operation, ValueStore, has_groups
from texelscope.pipeline.lowerings.fusion.channel_sums import channel_forms
from texelscope.pipeline.lowerings.fusion.elements import Chains
from texelscope.pipeline.lowerings.fusion.finished_products import finished_product_forms
from texelscope.pipeline.lowerings.fusion.matching import Matching
from texelscope.pipeline.lowerings.fusion.move_chains import move_forms
from texelscope.pipeline.lowerings.fusion.repeats import over_repeats, repeat_forms
from texelscope.pipeline.lowerings.fusion.row_chains import row_forms
from texelscope.pipeline.lowerings.fusion.shared_boxes import with_shared_boxes
from texelscope.pipeline.lowerings.fusion.weight_sums import weight_forms
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.lowerings.pointwise import Pointwise, gate, pointwise
from texelscope.pipeline.lowerings.solo import STORES_VERSION, Sum, best_form, bias_of, dispatches, sum_of
from texelscope.pipeline.lowerings.window_sum import WindowSumLowering
from texelscope.pipeline.lowerings.winograd import winograd_form
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.plan import Pass, Plan

# A form, or the name of a plain pass.
Item = Lowering | str
# The most tensors that a form reads beside its sum.
_MOST_OTHERS = 3
_MOST_OPERATIONS = 12


@dataclass
class _Head:
    """A form under construction. `values` counts the available ones, number 0 being the sum or the tensor read."""

    position: int
    name: str
    reads: str
    channels: int
    sum_: Sum | None = None
    operations: list[Operation] = field(default_factory=list)
    covers: list[str] = field(default_factory=list)

    def add(self, operation: Operation) -> int:
        self.operations.append(operation)
        return len(self.operations)


@dataclass(frozen=True)
class _Slot:
    """Locates a tensor, or its part from group `group` on, as value number `value` of a head."""

    head: _Head
    value: int
    group: int = 0


def schedule(plan: Plan, limits: Limits, keep: Collection[str] = (), plain: Collection[str] = ()) -> tuple[Item, ...]:
    """Schedules a run of the whole plan that computes the plan's outputs and the keys of `keep`.

    The passes called `plain` run by their own programs. Who keeps every tensor looks at each: no form then rounds more
    than its passes do.
    """
    if plan.graph is None:
        return tuple(each.name for each in plan.passes)
    refused = set(plain)
    keeps_all = frozenset(keep).issuperset(key for each in plan.passes for key in each.outputs)
    while True:
        fusing = _Fusing(plan, limits, frozenset(keep) | set(plan.outputs), refused, may_transform=not keeps_all)
        too_many = fusing.too_many()
        if not too_many:
            return fusing.items()
        refused |= too_many


class _Fusing:
    def __init__(
        self, plan: Plan, limits: Limits, keep: Collection[str], refused: Collection[str], *, may_transform: bool
    ) -> None:
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
        # The cost of these draws where forms are dispatches has not been measured.
        draws = not dispatches(plan.backend, limits)
        passes = Matching(plan, plan.graph, keep, refused)
        writes_buffers = draws and limits.version >= STORES_VERSION
        self._may_transform = may_transform and writes_buffers
        matched = (
            [
                *with_shared_boxes(passes, weight_forms(passes, limits), repeat_forms(passes, limits)),
                *channel_forms(passes),
                *finished_product_forms(passes, limits),
            ]
            if writes_buffers
            else []
        )
        if draws:
            taken = {name for form in matched for name in form.covers}
            for form in (*row_forms(passes), *move_forms(passes)):
                if taken.isdisjoint(form.covers):
                    matched.append(form)
                    taken.update(form.covers)
        self._matched = {form.covers[-1]: form for form in matched}
        # By pass that repeats elements, the sums that read the elements instead.
        self._repeating: dict[str, list[str]] = {}
        self._plain: list[Pass] = []
        self._passes = passes if writes_buffers and limits.is_software else None
        self._covered = {name for form in matched for name in form.covers}
        self._chains = Chains(plan, plan.graph, keep, once=writes_buffers) if draws else None
        for position, each in enumerate(plan.passes):
            self._place(position, each)
        self._leave_out_repeats()
        self._stores = self._stores_of_heads()
        self._chained = self._chains.forms(self._read) if self._chains is not None else {}
        self._fused.update(name for form in self._chained.values() for name in form.covers[1:])

    # -- which passes join -------------------------------------------------------------------------------

    def _place(self, position: int, shader_pass: Pass) -> None:
        """Adds the pass to forms, begins a form with it, or leaves it plain."""
        if shader_pass.name in self._covered:
            self._place_matched(position, shader_pass)
            return
        joins = shader_pass.from_operator and shader_pass.name not in self._refused
        has_channels = joins and has_groups(self._plan.textures[shader_pass.output])
        if has_channels and (self._join(shader_pass) or self._begin_sum(position, shader_pass)):
            return
        if not (joins and self._chain(position, shader_pass)) and not (
            has_channels and self._begin_texels(position, shader_pass)
        ):
            self._plain.append(shader_pass)
            for key in shader_pass.outputs:
                self._made_at[key] = position

    def _place_matched(self, position: int, shader_pass: Pass) -> None:
        """Places a pass that a form of a matched sequence covers; its result exists after the form's last pass."""
        form = self._matched.get(shader_pass.name)
        if form is None:
            self._fused.add(shader_pass.name)
            return
        self._read.update(form.reads)
        for key in form.writes:
            self._made_at[key] = position

    def _begin_sum(self, position: int, shader_pass: Pass) -> bool:
        """Begins a form with a pass that is a sum over a window."""
        call = Call(self._nodes[shader_pass.nodes[0]], self._graph)
        found = sum_of(call, self._plan, self._limits)
        if found is None or not self._reads_groups(call):
            return False
        x = call.node.inputs[0]
        over = over_repeats(self._passes, x, found, self._limits) if self._passes is not None else None
        if over is not None:
            x, found = over.few, over.sum_
            for maker in over.makers:
                self._repeating.setdefault(maker, []).append(shader_pass.name)
        head = _Head(position, shader_pass.name, x, found.outputs, found, covers=[shader_pass.name])
        self._begin(shader_pass, head, head.add(bias_of(found)) if found.bias else 0)
        self._read.update(found.given)
        return True

    def _begin_texels(self, position: int, shader_pass: Pass) -> bool:
        """Begins a form with a pass over the texels of a tensor, as the sum of one slice."""
        call = Call(self._nodes[shader_pass.nodes[0]], self._graph)
        found = pointwise(call)
        if found is None or not self._reads_groups(call) or found.operands != call.node.inputs[:1]:
            return False
        head = _Head(position, shader_pass.name, call.node.inputs[0], call.output_shape()[1], covers=[shader_pass.name])
        self._begin(shader_pass, head, head.add(found.make((0,), slice(0, head.channels))))
        return True

    def _reads_groups(self, call: Call) -> bool:
        x = call.node.inputs[0] if call.node.inputs else ""
        return x in self._plan.textures and has_groups(self._plan.textures[x])

    def _begin(self, shader_pass: Pass, head: _Head, value: int) -> None:
        self._heads[shader_pass.name] = head
        self._read.add(head.reads)
        self._slots[shader_pass.output] = (_Slot(head, value),)
        self._made_at[shader_pass.output] = head.position

    def _chain(self, position: int, shader_pass: Pass) -> bool:
        """Places a pass that works per element, alone or together with others."""
        found = self._chains.take(position, shader_pass, self._made_at) if self._chains is not None else None
        if found is None:
            return False
        self._read.update(found.read)
        self._made_at[shader_pass.output] = found.position
        return True

    def _join(self, shader_pass: Pass) -> bool:
        call = Call(self._nodes[shader_pass.nodes[0]], self._graph)
        if call.node.op_type == "Concat":
            return self._join_parts(shader_pass, call)
        if call.node.op_type == "Where" and not call.node.domain:
            return self._join_gate(shader_pass, call)
        found = pointwise(call)
        if found is None or not all(self._may_grow(slot.head, shader_pass) for slot in self._slots_of(found)):
            return False
        if len(found.operands) == 1:
            (key,) = found.operands
            if key not in self._slots:
                return False
            self._extend(shader_pass, found, self._slots[key])
            return True
        return self._join_two(shader_pass, found)

    def _may_grow(self, head: _Head, shader_pass: Pass) -> bool:
        """Whether the pass may join the form. Backward passes leave forward ones alone: their results would be stored,
        in a software driver's dearest way, and take room until a gradient is there."""
        backward = self._graph.backward
        is_late = shader_pass.nodes[0] in backward and self._plan.pass_called(head.name).nodes[0] not in backward
        return not is_late and len(head.operations) < _MOST_OPERATIONS

    def _join_gate(self, shader_pass: Pass, call: Call) -> bool:
        """Joins a Where, and the comparison that is its condition, to the form of what it lets through."""
        condition = call.node.inputs[0]
        maker = self._passes.inner(condition, "Greater") if self._passes is not None else None
        found = gate(call, self._passes.call(maker)) if self._passes is not None and maker is not None else None
        if found is None or maker is None or self._chains is None or not found.operands:
            return False
        slots = [self._slots.get(key, ()) for key in found.operands]
        heads = {slot.head.name: slot.head for each in slots for slot in each}
        if len(heads) != 1 or any(len(each) != 1 for each in slots):
            return False
        ((_, head),) = heads.items()
        others = {operation.other for operation in head.operations if operation.other} | {found.by}
        if not self._is_there(found.by, head.position) or len(others) > _MOST_OTHERS:
            return False
        if not self._may_grow(head, shader_pass) or not self._chains.leave_out(condition):
            return False
        self._fused.add(maker.name)
        head.covers.append(maker.name)
        self._read.add(found.by)
        self._take(shader_pass, (_Slot(head, head.add(found.make(tuple(each[0].value for each in slots)))),))
        return True

    def _slots_of(self, found: Pointwise) -> list[_Slot]:
        return [slot for key in found.operands for slot in self._slots.get(key, ())]

    def _extend(self, shader_pass: Pass, found: Pointwise, slots: tuple[_Slot, ...]) -> None:
        made = []
        for slot in slots:
            value = slot.head.add(found.make((slot.value,), slice(4 * slot.group, 4 * slot.group + slot.head.channels)))
            made.append(_Slot(slot.head, value, slot.group))
        self._take(shader_pass, tuple(made))

    def _take(self, shader_pass: Pass, slots: tuple[_Slot, ...]) -> None:
        self._slots[shader_pass.output] = slots
        self._made_at[shader_pass.output] = max(slot.head.position for slot in slots)
        self._fused.add(shader_pass.name)
        for slot in slots:
            if shader_pass.name not in slot.head.covers:
                slot.head.covers.append(shader_pass.name)

    def _join_two(self, shader_pass: Pass, found: Pointwise) -> bool:
        """Joins a pass of two operands: one is available in a form, the other one too or computed before that form."""
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
            self._take(shader_pass, (_Slot(head, head.add(found.make(tuple(operands), slice(0, head.channels)))),))
            return True
        return False

    def _is_there(self, key: str, position: int) -> bool:
        """Whether a form can read the tensor from a texture before the pass at `position` runs."""
        stored = self._plan.textures.get(key)
        if stored is None or not has_groups(stored) or stored.role == "constant":
            return False
        return stored.role == "input" or self._made_at[key] < position

    def _join_parts(self, shader_pass: Pass, call: Call) -> bool:
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
        self._take(shader_pass, tuple(slots))
        return True

    def _leave_out_repeats(self) -> None:
        """Leaves out passes that repeat elements where only sums over these read the result."""
        for each in reversed(self._plain):
            readers = self._repeating.get(each.name, ())
            if not readers or not self._read.isdisjoint(each.outputs):
                self._read.update(each.reads)
                continue
            self._fused.add(each.name)
            for reader in readers:
                self._heads[reader].covers.insert(0, each.name)

    # -- what is stored ------------------------------------------------------------------------------------

    def _stores_of_heads(self) -> Mapping[str, list[ValueStore]]:
        stores: defaultdict[str, list[ValueStore]] = defaultdict(list)
        for key, slots in self._slots.items():
            if key in self._read:
                for slot in slots:
                    stores[slot.head.name].append(ValueStore(slot.value, key, slot.group))
        return stores

    def too_many(self) -> set[str]:
        """Returns passes that must stay out of forms, since these would store more than a draw can."""
        full = [head for head in self._heads.values() if len(self._stores[head.name]) > MAX_STORES]
        chains = self._chains.too_many(self._read) if self._chains is not None else set()
        return chains.union(head.covers[-1] for head in full)

    # -- the run -------------------------------------------------------------------------------------------

    def items(self) -> tuple[Item, ...]:
        """Returns forms and names of plain passes, in order."""
        found: list[Item] = []
        for each in self._plan.passes:
            if each.name in self._fused:
                continue
            head = self._heads.get(each.name)
            form = self._matched.get(each.name) or self._chained.get(each.name)
            form = form if head is None else self._form(head)
            found.append(each.name if form is None else self._with_inside(form))
        return tuple(found)

    def _with_inside(self, form: Lowering) -> Lowering:
        """Returns the form with the keys that it computes and does not store."""
        computed = [key for name in form.covers for key in self._plan.pass_called(name).outputs]
        inside = tuple(key for key in computed if key not in form.writes and key not in form.parts)
        return dataclasses.replace(form, inside=inside) if inside else form

    def _form(self, head: _Head) -> Lowering:
        finish, textures = Finish(tuple(head.operations), tuple(self._stores[head.name])), self._plan.textures
        form = None
        if self._may_transform and isinstance(head.sum_, WindowSumLowering):
            form = winograd_form(head.sum_, head.reads, finish, head.covers, textures, self._limits)
        if form is None:
            form = best_form(head.sum_, head.reads, finish, head.covers, textures, self._limits, self._plan.backend)
        whole = tuple(key for key in form.writes if self._made_at[key] == head.position)
        parts = tuple(key for key in form.writes if key not in whole)
        return dataclasses.replace(form, writes=whole, parts=parts)
