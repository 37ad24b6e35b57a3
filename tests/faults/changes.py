"""Ways to make a healthy subject wrong. Each is data; `tests.faults.fault` applies them in order."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from tests.faults.faulty_session import FaultySession, OnBind, OnDraw, Texels
from tests.faults.models import Array
from tests.faults.subjects import shader_text
from texelscope import layouts
from texelscope.layouts.base import Layout
from texelscope.pipeline.plan import Filter, Pass, Plan, Storage, UniformValue, UnsetUniform, Wrap


class Change:
    """Does nothing; a subclass overrides the moment that it needs."""

    def to_plan(self, plan: Plan, name: str) -> Plan:
        """Changes the plan, before there is a session."""
        return plan

    def to_session(self, session: FaultySession, name: str) -> None:
        """Acts before anything runs."""

    def to_inputs(self, session: FaultySession, name: str) -> None:
        """Acts after every upload of inputs."""


@dataclass(frozen=True)
class Edit(Change):
    """Replaces text in the fragment shader that occurs in it once."""

    old: str
    new: str

    def to_plan(self, plan: Plan, name: str) -> Plan:
        program = _pass(plan, name).program
        count = program.fragment.count(self.old)
        assert count == 1, f"{self.old!r} occurs {count} times in the shader of '{name}'"
        text = program.fragment.replace(self.old, self.new)
        files = tuple(
            dataclasses.replace(file, text=file.text.replace(self.old, self.new)) for file in program.files
        )  # fmt: skip
        return _with_pass(plan, name, program=dataclasses.replace(program, fragment=text, files=files))


@dataclass(frozen=True)
class Dispatched(Change):
    """Another number of work groups along x, y and z."""

    groups: tuple[int, int, int]

    def to_plan(self, plan: Plan, name: str) -> Plan:
        dispatch = _pass(plan, name).dispatch
        assert dispatch is not None
        return _with_pass(plan, name, dispatch=dataclasses.replace(dispatch, groups=self.groups))


@dataclass(frozen=True)
class Vertex(Change):
    """Another vertex shader, by the name that `shader_text` takes."""

    file: str

    def to_plan(self, plan: Plan, name: str) -> Plan:
        text = shader_text(self.file)
        return _with_pass(plan, name, program=dataclasses.replace(_pass(plan, name).program, vertex=text))


@dataclass(frozen=True)
class Sampled(Change):
    """Changes the filter or wrap of a sampler."""

    uniform: str
    filter: Filter = "nearest"
    wrap: Wrap = "clamp_to_edge"

    def to_plan(self, plan: Plan, name: str) -> Plan:
        samplers = tuple(
            dataclasses.replace(each, filter=self.filter, wrap=self.wrap) if each.uniform == self.uniform else each
            for each in _pass(plan, name).samplers
        )
        assert samplers != _pass(plan, name).samplers, self.uniform
        return _with_pass(plan, name, samplers=samplers)


@dataclass(frozen=True)
class BoundTo(Change):
    """Binds another tensor of the plan to a sampler."""

    uniform: str
    key: str

    def to_plan(self, plan: Plan, name: str) -> Plan:
        samplers = tuple(
            dataclasses.replace(each, key=self.key) if each.uniform == self.uniform else each
            for each in _pass(plan, name).samplers
        )
        assert samplers != _pass(plan, name).samplers, self.uniform
        return _with_pass(plan, name, samplers=samplers)


@dataclass(frozen=True)
class Uniform(Change):
    """Changes the value of a uniform."""

    uniform: str
    value: UniformValue

    def to_plan(self, plan: Plan, name: str) -> Plan:
        uniforms = dict(_pass(plan, name).uniforms)
        assert self.uniform in uniforms, self.uniform
        return _with_pass(plan, name, uniforms=MappingProxyType(uniforms | {self.uniform: self.value}))


@dataclass(frozen=True)
class Unset(Change):
    """Leaves a uniform out, as a pipeline file that says nothing about it."""

    uniform: str

    def to_plan(self, plan: Plan, name: str) -> Plan:
        uniforms = dict(_pass(plan, name).uniforms)
        value = uniforms.pop(self.uniform)
        lanes = value if isinstance(value, tuple) else (value,)
        kind = "float" if isinstance(lanes[0], float) else "int"
        unset = UnsetUniform(self.uniform, f"uniforms.{self.uniform}", kind, len(lanes))
        return _with_pass(plan, name, uniforms=MappingProxyType(uniforms), unset=(unset,))


@dataclass(frozen=True)
class StoredAs(Change):
    """A tensor, by default the pass's output, stored in another element type or layout than the shader was made for."""

    key: str = ""
    storage: Storage | None = None
    layout: str | Layout | None = None

    def to_plan(self, plan: Plan, name: str) -> Plan:
        key = self.key or _pass(plan, name).output
        stored = plan.textures[key]
        layout = layouts.layout(self.layout) if isinstance(self.layout, str) else self.layout
        changed = dataclasses.replace(
            stored, storage=self.storage or stored.storage, layout=stored.layout if layout is None else layout
        )
        return dataclasses.replace(plan, textures=MappingProxyType({**plan.textures, key: changed}))


@dataclass(frozen=True)
class Weights(Change):
    """A constant changed on the GPU alone; the oracle keeps the right one."""

    key: str
    transform: Callable[[Array], Array]

    def to_session(self, session: FaultySession, name: str) -> None:
        stored = session.plan.textures[self.key]
        value = session.plan.constant(stored.tensor)
        assert value is not None
        session.overwrite(self.key, stored.layout.encode(self.transform(value).reshape(stored.shape)))


@dataclass(frozen=True)
class EncodedAs(Change):
    """A constant or an input uploaded in another layout, whose texture is as large, than the plan says."""

    key: str
    layout: str | Layout

    def to_session(self, session: FaultySession, name: str) -> None:
        stored = session.plan.textures[self.key]
        if stored.role == "constant":
            value = session.plan.constant(stored.tensor)
            assert value is not None
            layout = layouts.layout(self.layout) if isinstance(self.layout, str) else self.layout
            assert layout.texture_shape(stored.shape) == stored.texture_shape
            session.overwrite(self.key, layout.encode(value.reshape(stored.shape)))


@dataclass(frozen=True)
class Padding(Change):
    """Something else than zero in the unused lanes of an input, as a producer leaves it that does not clear them."""

    key: str
    value: float

    def to_inputs(self, session: FaultySession, name: str) -> None:
        stored = session.plan.textures[self.key]
        texels = session.texels(self.key).copy()
        texels[stored.layout.address(stored.shape) < 0] = self.value
        session.overwrite(self.key, texels)


@dataclass(frozen=True)
class OnBindDo(Change):
    """GL state changed after the pass has set its own."""

    hook: OnBind

    def to_session(self, session: FaultySession, name: str) -> None:
        session.on_bind = (*session.on_bind, self.hook)


@dataclass(frozen=True)
class AfterDrawDo(Change):
    """Does something after every draw of the pass."""

    hook: OnDraw

    def to_session(self, session: FaultySession, name: str) -> None:
        session.after_draw = (*session.after_draw, self.hook)


@dataclass(frozen=True)
class Kept(Change):
    """Converts the shader's values as the target stores them, texels to texels: a fixed-point or sRGB target."""

    transform: Callable[[Texels], Texels]

    def to_session(self, session: FaultySession, name: str) -> None:
        def keep(session: FaultySession, shader_pass: Pass) -> None:
            session.overwrite(shader_pass.output, self.transform(session.texels(shader_pass.output)))

        session.after_draw = (*session.after_draw, keep)


@dataclass(frozen=True)
class DrawnUntil(Change):
    """The pass is not drawn from its draw number `draws` on; what it wrote before stays."""

    draws: int

    def to_session(self, session: FaultySession, name: str) -> None:
        session.draws_until = self.draws


@dataclass(frozen=True)
class OneRunBehind(Change):
    """The sampler shows what its tensor held before the pass's previous run."""

    uniform: str

    def to_session(self, session: FaultySession, name: str) -> None:
        key = {sampler.uniform: sampler.key for sampler in _pass(session.plan, name).samplers}[self.uniform]

        def bind_old(session: FaultySession, shader_pass: Pass, program: object) -> None:
            session.copy(key).use(session.unit(shader_pass, self.uniform))

        session.on_bind = (*session.on_bind, bind_old)
        session.after_draw = (*session.after_draw, lambda session, each: session.refresh(key))


def _pass(plan: Plan, name: str) -> Pass:
    return plan.passes[plan.position(name)]


def _with_pass(plan: Plan, name: str, **changes: object) -> Plan:
    passes = tuple(
        dataclasses.replace(each, **changes) if each.name == name else each  # type: ignore[arg-type]
        for each in plan.passes
    )
    return dataclasses.replace(plan, passes=passes)


def half(texels: Texels) -> Texels:
    """Rounds to half precision."""
    with np.errstate(over="ignore"):
        return texels.astype(np.float16).astype(np.float32)


def bytes_of(texels: Texels) -> Texels:
    """Rounds as a target of 8 bits does: clamps to 0 … 1, in steps of 1 / 255."""
    return np.asarray(np.rint(np.clip(texels, 0.0, 1.0) * 255.0) / 255.0, dtype=np.float32)


def srgb(texels: Texels) -> Texels:
    """Encodes as sRGB (IEC 61966-2-1), without the cap."""
    power = 1.055 * np.power(np.maximum(texels, 0.0), 1.0 / 2.4) - 0.055
    return np.where(texels <= 0.0031308, 12.92 * texels, power).astype(np.float32)
