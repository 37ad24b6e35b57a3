"""Reads what a translated pass makes of texels: runs some of its invocations, and asks whether they agree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from texelscope.pipeline.deadline import check
from texelscope.pipeline.dialects.effects.invocation import (
    GroupMemory,
    InvocationEvaluation,
    InvocationSurroundings,
    PlacedTexture,
    ReadingTime,
)
from texelscope.pipeline.dialects.effects.lanes import (
    Place,
    PlacedLanes,
    at_edges,
    is_alike,
    lanes_of_texels,
    period_of,
)
from texelscope.pipeline.dialects.effects.passes import EffectPass, EffectTexture
from texelscope.pipeline.dialects.mpv.network.block_text import ResultLanes, defined, parsed_as
from texelscope.pipeline.dialects.mpv.network.values import LinearForm, LiteralNumber, NotUnderstoodError, as_form
from texelscope.pipeline.dialects.mpv.network.variable_types import NamedReference, Value, lanes_of
from texelscope.pipeline.glsl.semantics.parsing import parse
from texelscope.pipeline.glsl.semantics.tree import ErrorNode, SyntaxNode
from texelscope.pipeline.plan import UniformValue

# What a program declares for the driver alone: its interface, and `#line`s.
_INTERFACE = re.compile(r"[ \t]*(?:#|layout\b|uniform\b|in\b|out\b|precision\b)")
_BEHIND_LAYOUT = re.compile(r"[ \t]*layout\([^()]*\)[ \t]*(?=shared\b)")
# The most invocations that fill the memory of a group.
_MOST_IN_GROUP = 1024
# So many invocations are asked before every one of a group is.
_FIRST_ASKED = 4


@dataclass(frozen=True)
class _Invocation:
    """Names an invocation by its group and its place in it, along x, y and z; of a drawn pass the pixel, and zeros."""

    group: tuple[int, int, int]
    thread: tuple[int, int, int] = (0, 0, 0)


def read_textures(
    text: str, effect_pass: EffectPass, uniforms: Mapping[str, UniformValue]
) -> Mapping[str, ResultLanes | NotUnderstoodError]:
    """Returns by key the lanes of each texture that a pass writes, or why they are none of a network.

    Lines are rows of `text`, GLSL with its `#line`s, from 1. Raises NotUnderstoodError where that holds for all.
    """
    try:
        return _Reader(text, effect_pass, uniforms).read()
    except RecursionError as error:
        raise NotUnderstoodError("expressions nested too deep") from error


class _Reader:
    def __init__(self, text: str, effect_pass: EffectPass, uniforms: Mapping[str, UniformValue]) -> None:
        self._pass = effect_pass
        rows = [_BEHIND_LAYOUT.sub("", row) for row in text.split("\n")]
        kept = "\n".join("" if _INTERFACE.match(row) else row for row in rows)
        self._root = parse(parsed_as(kept))
        if self._root.has_error:
            row = next((each.row for each in self._root.walk() if isinstance(each, ErrorNode) or each.is_missing), 0)
            raise NotUnderstoodError("text that is no GLSL as it is parsed here", row + 1)
        self._known: dict[str, Value] = {name: _as_value(value) for name, value in uniforms.items()}
        for name, read in effect_pass.reads.items():
            self._known[name] = NamedReference(PlacedTexture.of(name, read.texture, read.filter, read.wrap))
        for name, texture in effect_pass.writes.items():
            if not effect_pass.is_drawn:
                self._known[name] = NamedReference(PlacedTexture.of(name, texture))
        self._textures = {read.texture.key: read.texture for read in effect_pass.reads.values()}
        self._textures |= {texture.key: texture for texture in effect_pass.writes.values()}
        self._memories: dict[tuple[int, int, int], GroupMemory] = {}
        self._stored: dict[str, dict[Place, tuple[LinearForm, ...]]] = {name: {} for name in effect_pass.writes}
        self._broken: dict[str, NotUnderstoodError] = {}
        self._fetches = False
        self._time = ReadingTime()

    def read(self) -> Mapping[str, ResultLanes | NotUnderstoodError]:
        """Returns the lanes by key."""
        found: dict[str, PlacedLanes] = {}
        for number, invocation in enumerate(self._asked()):
            self._time.check()
            self._keep(self._run(invocation))
            if number + 1 < _FIRST_ASKED and number % 2 == 0:
                continue
            found = {name: lanes for name in self._pass.writes if (lanes := self._lanes(name)) is not None}
            if len(found) + len(self._broken) == len(self._pass.writes):
                break
        if self._fetches and found:
            found = self._with_borders(found)
        answers: dict[str, ResultLanes | NotUnderstoodError] = {}
        for name, texture in self._pass.writes.items():
            lanes = found.get(name)
            answers[texture.key] = (
                self._broken[name] if name in self._broken
                else lanes.lanes if lanes is not None
                else NotUnderstoodError("a texture that not every invocation writes alike")
            )  # fmt: skip
        return answers

    # -- which invocations -------------------------------------------------------------------------------------

    def _asked(self) -> Iterator[_Invocation]:
        """Yields invocations of two groups within the picture: the first and the last, then all of one group."""
        if self._pass.is_drawn:
            yield from self._pixels()
            return
        x, y = (self._pass.groups[axis] // 2 for axis in (0, 1))
        middle, other = (x, y, 0), (max(x - 1, 0), max(y - 1, 0), 0)
        threads = list(self._threads())
        yield _Invocation(middle, threads[0])
        yield _Invocation(other, threads[-1])
        yield _Invocation(middle, threads[len(threads) // 2])
        yield _Invocation(other, threads[min(1, len(threads) - 1)])
        for thread in threads:
            yield _Invocation(middle, thread)

    def _threads(self) -> Iterator[tuple[int, int, int]]:
        width, height, depth = self._pass.threads
        for z in range(depth):
            for y in range(height):
                for x in range(width):
                    yield x, y, z

    def _pixels(self) -> Iterator[_Invocation]:
        target = next(iter(self._pass.writes.values()))
        for spot in range(8):
            for y in range(spot + 1):
                for x in range(spot + 1):
                    if max(x, y) == spot:
                        place = (
                            min(target.width // 2 + x, target.width - 1),
                            min(target.height // 2 + y, target.height - 1),
                        )
                        yield _Invocation((*place, 0))

    def _corners(self) -> Iterator[_Invocation]:
        if self._pass.is_drawn:
            target = next(iter(self._pass.writes.values()))
            yield _Invocation((0, 0, 0))
            yield _Invocation((target.width - 1, target.height - 1, 0))
            return
        threads = list(self._threads())
        yield _Invocation((0, 0, 0), threads[0])
        last = (self._pass.groups[0] - 1, self._pass.groups[1] - 1, 0)
        for thread in reversed(threads):
            yield _Invocation(last, thread)

    # -- running -----------------------------------------------------------------------------------------------

    def _run(self, invocation: _Invocation) -> Mapping[str, Mapping[Place, Sequence[Value]]]:
        """Returns the texels that an invocation stores, by uniform and place."""
        memory = self._memory(invocation.group)
        around = self._around(invocation)
        evaluation = self._evaluation(around, memory)
        if evaluation.run_to_barrier():
            raise NotUnderstoodError("a group that waits for its invocations more than once")
        self._fetches = self._fetches or around.fetches
        found: dict[str, dict[Place, Sequence[Value]]] = {}
        for (name, x, y), lanes in around.texels.items():
            found.setdefault(name, {})[x, y] = lanes
        if self._pass.is_drawn:
            for name in self._pass.writes:
                value = evaluation.output(name)
                if value is not None:
                    found[name] = {invocation.group[:2]: lanes_of(value)}
        return found

    def _evaluation(self, around: InvocationSurroundings, memory: GroupMemory) -> InvocationEvaluation:
        evaluation = InvocationEvaluation(self._root, around, memory, self._time)
        if self._pass.is_drawn:
            for name, texture in self._pass.writes.items():
                evaluation.add_output(name, "float" if texture.channels == 1 else "vec4")
        return evaluation

    def _memory(self, group: tuple[int, int, int]) -> GroupMemory:
        """Returns what the invocations of a group share once all of them came to the first barrier."""
        if group in self._memories or self._pass.is_drawn or not _waits(self._root):
            return self._memories.setdefault(group, GroupMemory())
        threads = list(self._threads())
        if len(threads) > _MOST_IN_GROUP:
            raise NotUnderstoodError(f"a group of more than {_MOST_IN_GROUP} invocations that share memory")
        memory = GroupMemory()
        for thread in threads:
            check()
            around = self._around(_Invocation(group, thread))
            if not self._evaluation(around, memory).run_to_barrier() or around.texels:
                raise NotUnderstoodError("a barrier that not every invocation comes to before it stores")
            self._fetches = self._fetches or around.fetches
        memory.barriers = 1
        self._memories[group] = memory
        return memory

    def _around(self, invocation: _Invocation) -> InvocationSurroundings:
        if self._pass.is_drawn:
            return InvocationSurroundings.of({**self._known, **self._of_pixel(invocation.group)})
        width, height, _ = self._pass.threads
        (x, y, z), sizes = invocation.thread, self._pass.threads
        whole = [invocation.group[axis] * sizes[axis] + invocation.thread[axis] for axis in range(3)]
        indices: dict[str, Value] = {
            "gl_WorkGroupID": _whole(invocation.group),
            "gl_LocalInvocationID": _whole(invocation.thread),
            "gl_GlobalInvocationID": _whole(whole),
            "gl_LocalInvocationIndex": _whole([(z * height + y) * width + x])[0],
            "gl_WorkGroupSize": _whole(sizes),
            "gl_NumWorkGroups": _whole(self._pass.groups),
        }
        return InvocationSurroundings.of({**self._known, **indices})

    def _of_pixel(self, pixel: tuple[int, int, int]) -> Mapping[str, Value]:
        target = next(iter(self._pass.writes.values()))
        centre = (pixel[0] + 0.5, pixel[1] + 0.5)
        found: dict[str, Value] = {"gl_FragCoord": tuple(LiteralNumber(each) for each in (*centre, 0.5, 1.0))}
        if self._pass.place:
            shares = (centre[axis] / target.size[axis] for axis in (0, 1))
            found[self._pass.place] = tuple(LiteralNumber(each) for each in shares)
        return found

    # -- what was stored ---------------------------------------------------------------------------------------

    def _keep(self, stored: Mapping[str, Mapping[Place, Sequence[Value]]]) -> None:
        for name, texels in stored.items():
            if name in self._broken or name not in self._pass.writes:
                continue
            texture = self._pass.writes[name]
            for place, lanes in texels.items():
                if not _is_in(place, texture):
                    continue
                try:
                    self._stored[name][place] = _forms(lanes, texture)
                except NotUnderstoodError as error:
                    self._broken[name] = error
                    break

    def _lanes(self, name: str) -> PlacedLanes | None:
        """Returns the lanes of a written texture, from what is known of it."""
        stored, texture = self._stored[name], self._pass.writes[name]
        if name in self._broken or not stored:
            return None
        try:
            period = period_of(stored, texture, self._textures)
            if len(stored) < min(2 * period[0] * period[1], texture.width * texture.height):
                return None
            return lanes_of_texels(stored, texture, self._textures, period)
        except NotUnderstoodError as error:
            self._broken[name] = error
            return None

    # -- beyond the edge ---------------------------------------------------------------------------------------

    def _with_borders(self, found: Mapping[str, PlacedLanes]) -> dict[str, PlacedLanes]:
        """Returns lanes that say what is read beyond an edge where the text reads texels by their index."""
        corners: dict[str, dict[Place, tuple[LinearForm, ...]]] = {name: {} for name in found}
        for number, invocation in enumerate(self._corners()):
            for name, texels in self._run(invocation).items():
                for place, lanes in texels.items():
                    if name in corners and _is_in(place, self._pass.writes[name]):
                        corners[name][place] = _forms(lanes, self._pass.writes[name])
            if number and all(len(each) > 1 for each in corners.values()):
                break
        made: dict[str, PlacedLanes] = {}
        for name, placed in found.items():
            fitting = (placed.with_border(border) for border in ("zero", "edge"))
            chosen = next((each for each in fitting if self._agrees(each, corners[name])), None)
            if chosen is None:
                self._broken[name] = NotUnderstoodError("texels beyond an edge that are neither 0 nor the last ones")
            else:
                made[name] = chosen
        return made

    def _agrees(self, lanes: PlacedLanes, corners: Mapping[Place, tuple[LinearForm, ...]]) -> bool:
        """Whether the lanes say what was stored in the corners."""
        return all(
            is_alike(at_edges(form, self._textures), at_edges(own, self._textures))
            for place, stored in corners.items()
            for form, own in zip(lanes.at(place), stored, strict=True)
        )


def _is_in(place: Place, texture: EffectTexture) -> bool:
    return all(0 <= place[axis] < texture.size[axis] for axis in (0, 1))


def _forms(lanes: Sequence[Value], texture: EffectTexture) -> tuple[LinearForm, ...]:
    """Returns the sums that a texture holds of stored lanes."""
    if len(lanes) < texture.channels:
        raise NotUnderstoodError(f"a texel of {len(lanes)} lanes where {texture.channels} are stored")
    return tuple(defined(as_form(lanes_of(lane)[0])) for lane in lanes[: texture.channels])


def _waits(root: SyntaxNode) -> bool:
    return any(node.text == "barrier" for node in root.walk())


def _whole(numbers: Sequence[int]) -> tuple[LiteralNumber, ...]:
    return tuple(LiteralNumber(float(each), integer=True) for each in numbers)


def _as_value(value: UniformValue) -> Value:
    numbers = value if isinstance(value, tuple) else (value,)
    lanes = tuple(LiteralNumber(float(each), integer=isinstance(each, int)) for each in numbers)
    return lanes if isinstance(value, tuple) else lanes[0]
