"""Holds tensors on one GL context: its textures, and the plans of all calls so far."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.base import Layout
from texelscope.pipeline.errors import TexelscopeError, UnsupportedError
from texelscope.pipeline.gl.context import OnContext, limits_of, made_on, on_its_context
from texelscope.pipeline.gl.passes import PassRunner
from texelscope.pipeline.gl.program import ProgramCache
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.gl.textures import TextureStore
from texelscope.pipeline.gradients.reverse import BackwardGraph
from texelscope.pipeline.graph import Graph, Node, Shape
from texelscope.pipeline.model_file.contrib.writer import OPSET
from texelscope.pipeline.oracle.reference import Reference
from texelscope.pipeline.plan import NotRun, Plan, StoredTensor
from texelscope.pipeline.planning.layout_choice import choose
from texelscope.pipeline.planning.planner import plan_graph
from texelscope.pipeline.tensors.running.call import BackwardCall, Constant, OperatorCall, TensorSignature
from texelscope.pipeline.tensors.running.pool import PooledTexture, TexturePool

if TYPE_CHECKING:
    import moderngl


class LentSession(Session):
    """Runs a plan's passes from lent textures into lent textures. The ones between are its own.

    The caller keeps the context current.
    """

    def __init__(self, plan: Plan, context: moderngl.Context, programs: ProgramCache) -> None:
        super().__init__(plan, context, runner=lambda given, store: PassRunner(given, store, programs))
        self._made = tuple(key for key in plan.outputs if plan.textures[key].role == "activation")

    @property
    def makes(self) -> tuple[str, ...]:
        """The keys of the outputs that passes write; the others are constants."""
        return self._made

    def run_on(self, inputs: Mapping[str, PooledTexture], outputs: Mapping[str, PooledTexture]) -> None:
        """Runs once; `outputs` has what `makes` names. Raises ShaderError where the driver refuses a pass."""
        stored, store = self._plan.textures, self._store
        for lent in (inputs, outputs):
            for key, held in lent.items():
                store.lend(stored[key], held.room.texture, held.room.target)
        self._valid.update(inputs)
        self._valid.difference_update(self._made)
        try:
            with self.untimed():
                self.run_fused()
        finally:
            for lent in (inputs, outputs):
                for key in lent:
                    store.take_back(stored[key])
        if not self._valid.issuperset(self._made):
            raise self._refusal()

    def _refusal(self) -> TexelscopeError:
        errors = [*self.shader_errors.values()]
        if errors:
            return errors[0]
        return TexelscopeError(self._plan.name, "passes that run", "one that did not", "Report this with its shapes.")


# So many plans are kept, with their programs: the latest.
MOST_PLANS = 1024
_MOST_NUMBERS = 256
# The type of gradients.
_REAL = "float32"


class Device(OnContext):
    """Holds a GL context and the tensors on it.

    The owner keeps the `context` current; `headless_device` makes one with its own context. Not thread-safe.
    """

    def __init__(self, context: moderngl.Context) -> None:
        super().__init__(context)
        self._limits = limits_of(self._context)
        self._programs = ProgramCache(self._context)
        self._store = TextureStore(self._context)
        self._pool = TexturePool(self._context)
        self._sessions: OrderedDict[Hashable, LentSession] = OrderedDict()
        self._backwards: OrderedDict[BackwardCall, BackwardGraph] = OrderedDict()
        self._numbers: OrderedDict[Hashable, PooledTexture] = OrderedDict()
        self._order = count()
        self._is_released = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.release()

    @on_its_context
    def release(self) -> None:
        """Frees every GL object. Its tensors have no numbers afterwards."""
        if self._is_released:
            return
        self._is_released = True
        for session in self._sessions.values():
            session.release()
        self._sessions.clear()
        self._backwards.clear()
        self._numbers.clear()
        self._pool.release()
        self._store.release()
        self.release_context()

    @property
    def is_released(self) -> bool:
        """Whether `release` was called."""
        return self._is_released

    @property
    def plans(self) -> int:
        """The number of plans: calls of the same operator, arguments and shapes share one."""
        return len(self._sessions)

    @property
    def used_bytes(self) -> int:
        """Bytes of the textures of present tensors."""
        return self._pool.used_bytes

    @property
    def free_bytes(self) -> int:
        """Bytes of the textures that are kept for later tensors."""
        return self._pool.free_bytes

    def next_number(self) -> int:
        """Returns a number larger than those before."""
        return next(self._order)

    @on_its_context
    def finish(self) -> None:
        """Waits until the GPU is done."""
        self._context.finish()

    # -- numbers in and out ----------------------------------------------------------------------------------

    def layout_for(self, shape: Shape, asked: str, who: str = "Tensor") -> Layout:
        """Returns the layout of a tensor of that shape. Raises UnsupportedError where none fits."""
        choice = choose((1,) if 0 in shape else shape, asked, self._limits)
        if choice is None:
            limit = self._limits.max_texture_texels
            raise UnsupportedError(
                who, f"a tensor that fits a texture of {limit}x{limit} texels", str(list(shape)), "Use several."
            )
        return choice.layout

    @on_its_context
    def hold(self, array: NDArray[Any], dtype: str, asked: str) -> PooledTexture:
        """Uploads `array` as a tensor of that type in that layout (by name)."""
        self._check_alive()
        shape = tuple(array.shape)
        stored = StoredTensor("tensor", "tensor", shape, self.layout_for(shape, asked), dtype=dtype)
        held = self._pool.take(stored)
        if not array.size:
            return held
        self._store.lend(stored, held.room.texture, held.room.target)
        try:
            self._store.write(stored, array)
        finally:
            self._store.take_back(stored)
        return held

    def number(self, value: float, dtype: str, asked: str) -> PooledTexture:
        """Returns a tensor without axes; those of the last few values are cached."""
        key = (value, np.signbit(value), dtype, asked)
        held = self._numbers.get(key)
        if held is None or held.is_released:
            held = self._numbers[key] = self.hold(np.asarray(value), dtype, asked)
            if len(self._numbers) > _MOST_NUMBERS:
                self._numbers.popitem(last=False)
        return held

    @on_its_context
    def read(self, held: PooledTexture) -> NDArray[np.float32]:
        """Reads the numbers, float32, in logical shape; waits for the GPU."""
        stored = held.stored
        if 0 in stored.shape:
            return np.zeros(stored.shape, np.float32)
        self._store.lend(stored, held.room.texture, held.room.target)
        try:
            texels = self._store.read(stored)
        finally:
            self._store.take_back(stored)
        return stored.decode(texels)

    # -- running ---------------------------------------------------------------------------------------------

    @on_its_context
    def run(self, call: OperatorCall, inputs: Sequence[PooledTexture | None]) -> tuple[PooledTexture, ...]:
        """Returns the outputs of a call. Raises TexelscopeError for a call that cannot be planned."""
        if any(map(_is_empty, inputs)):
            return self._run_on_nothing(call, inputs)
        session = self._session(call, lambda: call.graph, call.layout, call.looks)
        given = {f"x{i}": held for i, held in enumerate(inputs) if held is not None}
        made = self._run(session, given, call.layout)
        names = [f"y{i}" for i in range(call.outputs)]
        return tuple(made[name] if name in made else self._nothing(call, name) for name in names)

    @on_its_context
    def run_back(self, back: BackwardCall, tensors: Mapping[str, PooledTexture]) -> tuple[PooledTexture | None, ...]:
        """Returns the gradients of the call's inputs, in order; None where none flows, or none is wanted.

        `tensors` are the call's inputs, outputs and the gradients that arrive, by name.
        """
        if any(_is_empty(each) for each in tensors.values()):  # nothing depends on the others
            wanted = zip(back.call.inputs, back.wanted, strict=True)
            shapes = (each.shape if each is not None and is_wanted else None for each, is_wanted in wanted)
            layout = back.call.layout
            return tuple(None if each is None else self.hold(np.zeros(each), _REAL, layout) for each in shapes)
        if back not in self._backwards:
            self._backwards[back] = back.written()
            if len(self._backwards) > MOST_PLANS:
                self._backwards.popitem(last=False)
        backwards = self._backwards[back]
        made: Mapping[str, PooledTexture] = {}
        if (graph := backwards.graph) is not None:
            session = self._session(back, lambda: graph, back.call.layout, back.looks)
            made = self._run(session, tensors, back.call.layout)
        names = (backwards.gradients.get(name, "") for name in back.call.names)
        return tuple((made.get(name) or tensors[name]) if name else None for name in names)

    def _nothing(self, call: OperatorCall, output: str) -> PooledTexture:
        """Returns an output that no pass writes: an empty one."""
        info = call.graph.tensors[output]
        return self.hold(np.zeros(info.shape), info.dtype, call.layout)

    def _run_on_nothing(self, call: OperatorCall, inputs: Sequence[PooledTexture | None]) -> tuple[PooledTexture, ...]:
        """Returns the reference's outputs of a call some of whose tensors are empty: no pass reads nothing.

        Raises TexelscopeError for inputs that do not fit the operator.
        """
        given = [
            each.array()
            if isinstance(each, Constant)
            else self.read(held).astype(each.dtype)
            if each and held
            else None
            for each, held in zip(call.inputs, inputs, strict=True)
        ]
        outputs = tuple(f"y{i}" for i in range(call.outputs))
        node = Node(call.op_type, call.op_type, call.names, outputs, dict(call.attributes), opset=OPSET)
        try:
            made = Reference().run_node(node, given)
        except TexelscopeError as error:
            raise call.refusal("Give it a tensor with elements.") from error
        return tuple(self.hold(each, each.dtype.name, call.layout) for each in made if each is not None)

    def _run(self, session: LentSession, tensors: Mapping[str, PooledTexture], layout: str) -> dict[str, PooledTexture]:
        """Runs a session once, by name; an output that is a constant is uploaded."""
        plan = session.plan
        made = {key: self._pool.take(plan.textures[key]) for key in session.makes}
        session.run_on({key: tensors[key] for key in plan.inputs}, made)
        for key in plan.outputs:
            value = plan.constant(key) if key not in made else None
            if value is not None:
                made[key] = self.hold(value, value.dtype.name, layout)
        return made

    def _session(
        self,
        key: OperatorCall | BackwardCall,
        graph: Callable[[], Graph],
        layout: str,
        looks: Callable[[], Mapping[str, TensorSignature]],
    ) -> LentSession:
        """Returns the session of a call, kept from the last equal one."""
        session = self._sessions.get(key)
        if session is not None:
            self._sessions.move_to_end(key)
            return session
        layouts = {name: each.layout for name, each in looks().items()}
        plan = plan_graph(graph(), layout=layout, limits=self._limits, inputs_in=layouts)
        if plan.not_run:
            raise _refusal(key.op_type, plan.not_run[0])
        session = self._sessions[key] = LentSession(plan, self._context, self._programs)
        if len(self._sessions) > MOST_PLANS:
            self._sessions.popitem(last=False)[1].release()
        return session

    def _check_alive(self) -> None:
        if self._is_released:
            raise TexelscopeError("device", "one that is there", "a released one", "Make another one.")


def _is_empty(held: PooledTexture | None) -> bool:
    return held is not None and 0 in held.stored.shape


def _refusal(op_type: str, missing: NotRun) -> UnsupportedError:
    """Turns the reason why a node has no pass into an error about the call."""
    expected, _, rest = missing.reason.partition(": expected ")[2].partition(", got ")
    return UnsupportedError(op_type, expected, rest.partition(". ")[0], "Put others in its place.")


def headless_device() -> Device:
    """Makes a device on its own GL context, with no window, which is current whenever it works and released with it."""
    return made_on(None, Device)


@cache
def default_device() -> Device:
    """Returns the device of tensors for which none is named, made at the first use."""
    return headless_device()
