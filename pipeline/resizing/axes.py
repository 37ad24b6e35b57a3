"""Finds what can shrink in a subject: axes that shrink together, with the numbers that give their size.

Trials find the axes that belong together: an axis is shortened alone, then with others of the same size, until the
pass's part of the model accepts the rest. So there is no list of operators here.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np

from texelscope.pipeline.graph import Node
from texelscope.pipeline.inputs.values import alike
from texelscope.pipeline.resizing.subject import Array, PassSubject

# Axes that are tried together with one, and how many of these groups at most.
_MOST_TOGETHER = 5
_MOST_TRIES = 120
_MATRIX = 2
# The seed of values beyond the last ones; any number will do.
_SEED = 11
# The length of an axis while others are searched, so that trying is quick.
_TRIAL_SIZES = (4, 8, 16)


@dataclass(frozen=True)
class Member:
    """Names an axis of a value (`place` its number), an entry of a whole-number constant, or a node's attribute.

    It is `factor` times as large as the group that it belongs to.
    """

    kind: Literal["axis", "entry", "attribute"]
    owner: str
    place: int | str
    factor: int = 1


@dataclass(frozen=True)
class AxisGroup:
    """Groups members that change together; `size` is the original one."""

    size: int
    members: tuple[Member, ...]

    @property
    def label(self) -> str:
        """The axes, for a table."""
        return ", ".join(f"{each.owner}[{each.place}]" for each in self.members if each.kind == "axis")

    @property
    def is_spatial(self) -> bool:
        """Whether all members are heights or widths."""
        return all(each.kind == "axis" and isinstance(each.place, int) and each.place > 1 for each in self.members)


@dataclass(frozen=True)
class Cut:
    """Keeps `size` elements in a row of a group, from `start` on; more than there are continue with other values."""

    size: int
    start: int = 0


def cut(subject: PassSubject, cuts: Mapping[AxisGroup, Cut]) -> PassSubject:
    """Returns the subject with those parts of its values, and with matching attributes."""
    values = dict(subject.values)
    nodes = {node.name: node for node in subject.nodes}
    for group, kept in cuts.items():
        if kept.size == group.size:
            continue
        for member in group.members:
            if member.kind == "attribute":
                nodes[member.owner] = _with_attribute(nodes[member.owner], str(member.place), member.factor * kept.size)
            elif member.kind == "entry":
                values[member.owner] = _with_entry(values[member.owner], member, kept.size)
            else:
                values[member.owner] = _part(values[member.owner], member, kept)
    return subject.with_values(values, tuple(nodes[node.name] for node in subject.nodes))


def is_valid_cut(subject: PassSubject, cuts: Mapping[AxisGroup, Cut], is_valid: Callable[[PassSubject], bool]) -> bool:
    """Whether the subject can be cut so, and is valid then: one cut may take what another one changes."""
    try:
        return is_valid(cut(subject, cuts))
    except (LookupError, ValueError):
        return False


def groups(subject: PassSubject, is_valid: Callable[[PassSubject], bool]) -> tuple[AxisGroup, ...]:
    """Returns the groups of a subject, large ones first; `is_valid` says whether a cut subject still makes sense."""
    found: list[AxisGroup] = []
    small: dict[AxisGroup, Cut] = {}
    taken: set[tuple[str, str, int | str]] = set()
    for seed, size in sorted(_seeds(subject), key=lambda each: -each[1]):
        if (seed.kind, seed.owner, seed.place) in taken:
            continue
        for members in itertools.islice(_candidates(subject, seed, size, taken), _MOST_TRIES):
            group = AxisGroup(size, members)
            if any(is_valid_cut(subject, {**small, group: Cut(less)}, is_valid) for less in _less(size)):
                found.append(group)
                taken.update((each.kind, each.owner, each.place) for each in members)
                _keep_small(subject, group, small, is_valid)
                break
    return tuple(found)


def _keep_small(
    subject: PassSubject,
    group: AxisGroup,
    small: dict[AxisGroup, Cut],
    is_valid: Callable[[PassSubject], bool],
) -> None:
    for size in (*(size for size in _TRIAL_SIZES if size < group.size), *_less(group.size)):
        if is_valid_cut(subject, {**small, group: Cut(size)}, is_valid):
            small[group] = Cut(size)
            return


def _less(size: int) -> tuple[int, ...]:
    """Returns one less, and half as many, since channels of groups come in multiples."""
    return tuple(dict.fromkeys((size - 1, size // 2)))


def _seeds(subject: PassSubject) -> Iterator[tuple[Member, int]]:
    """Yields axes and attributes; not a kernel's width and height, on which other attributes and the shader depend."""
    for name, value in subject.values.items():
        is_kernel = name not in subject.given and value.ndim > _MATRIX
        for axis, size in enumerate(np.shape(value)[: _MATRIX if is_kernel else None]):
            if size > 1:
                yield Member("axis", name, axis), size
    for node in subject.nodes:
        for name, number in _numbers(node).items():
            yield Member("attribute", node.name, name), number


def _numbers(node: Node) -> dict[str, int]:
    """Returns attributes that may count something."""
    found = node.attributes.items()
    return {
        name: value for name, value in found if isinstance(value, int) and not isinstance(value, bool) and value > 1
    }


def _candidates(
    subject: PassSubject, seed: Member, size: int, taken: set[tuple[str, str, int | str]]
) -> Iterator[tuple[Member, ...]]:
    """Yields sets of members that might shrink together with the seed, small ones first, one axis a tensor."""
    # An attribute divides axes into groups; an axis of one group goes with that of all of them.
    counts = {1, *(number for node in subject.nodes for number in _numbers(node).values())}
    multiples = seed.kind == "attribute"
    choices: list[Sequence[Member]] = []
    for name, value in subject.values.items():
        if seed.kind == "axis" and name == seed.owner:
            continue
        axes = [
            Member("axis", name, axis, length // size)
            for axis, length in enumerate(np.shape(value))
            if length % size == 0
            and length > 1
            and (multiples or length // size in counts)
            and ("axis", name, axis) not in taken
        ]
        if axes:
            choices.append(axes)
        if value.dtype.kind in "iu" and value.ndim <= 1 and name not in subject.given:
            entries = [
                Member("entry", name, place, int(entry) // size)
                for place, entry in enumerate(np.atleast_1d(value))
                if entry > 0 and entry % size == 0
            ]
            if entries:
                choices.append(entries)
    choices += [
        [Member("attribute", node.name, name)]
        for node in subject.nodes
        for name, value in _numbers(node).items()
        if value == size and (seed.kind, seed.owner, seed.place) != ("attribute", node.name, name)
    ]  # fmt: skip
    for count in range(min(len(choices), _MOST_TOGETHER) + 1):
        for chosen in itertools.combinations(choices, count):
            for members in itertools.product(*chosen):
                yield (seed, *members)


def _with_attribute(node: Node, name: str, value: int) -> Node:
    return dataclasses.replace(node, attributes=MappingProxyType({**node.attributes, name: value}))


def _with_entry(value: Array, member: Member, size: int) -> Array:
    changed = np.array(value)
    if changed.ndim:
        changed[member.place] = member.factor * size
    else:
        changed[...] = member.factor * size
    return changed


def _part(value: Array, member: Member, kept: Cut) -> Array:
    assert isinstance(member.place, int)
    there, wanted = value.shape[member.place], member.factor * kept.size
    start = member.factor * kept.start
    index = np.arange(start, start + wanted)
    found = np.take(value, index % there, axis=member.place)
    if start + wanted > there and np.issubdtype(value.dtype, np.floating):
        added = [slice(None)] * value.ndim
        added[member.place] = slice(there - start, None)
        random = np.random.default_rng((_SEED, there, wanted))
        found[tuple(added)] = alike(random, found[tuple(added)])
    return np.ascontiguousarray(found)
