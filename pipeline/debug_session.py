"""A session that compares itself with the oracle and tells what its elements read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.context import device_of
from texelscope.pipeline.gl.current import on_its_context
from texelscope.pipeline.gl.passes import PassRunner
from texelscope.pipeline.gl.session import MakeRunner, Session
from texelscope.pipeline.lowerings.words import form_words
from texelscope.pipeline.plan import Pass, Plan, Tolerance
from texelscope.pipeline.value_dependence import Replan, hangs_on_values, still_holds, typed

if TYPE_CHECKING:
    import moderngl

    from texelscope.pipeline.compare.report import Report
    from texelscope.pipeline.read_trace.expected import ReadTrace
    from texelscope.pipeline.read_trace.recorder import ReadRecorder
    from texelscope.pipeline.trace.recorder import TraceRecorder
    from texelscope.pipeline.trace.trace import Trace

# By key, which elements no fragment wrote.
Gaps = Mapping[str, NDArray[np.bool_]]
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class DebugSession(Session):
    """A `Session` with everything that looks at it; `pipeline.open` and the window make it."""

    def __init__(
        self,
        plan: Plan,
        context: moderngl.Context,
        *,
        runner: MakeRunner = PassRunner,
        replan: Replan | None = None,
    ) -> None:
        """`replan` makes the plan anew for values at hand; without it control flow stays as it was planned."""
        self._replan = replan
        super().__init__(plan, context, runner=runner)
        self._recorder: ReadRecorder | None = None
        self._tracer: TraceRecorder | None = None

    def replan_with(self, replan: Replan) -> None:
        """From now on the plan is made anew by `replan`."""
        self._replan = replan

    @on_its_context
    def set_input(self, name: str, array: NDArray[Any]) -> None:
        """As `Session.set_input`. Where control flow hangs on it, the plan becomes that for the new values."""
        super().set_input(name, array)
        self._keep_up()

    @on_its_context
    def adopt(self, plan: Plan) -> frozenset[str]:
        """As `Session.adopt`, of the plan that the values at hand make of `plan`."""
        waiting = super().adopt(plan)
        again = self._keep_up()
        return waiting if again is None else again

    @on_its_context
    def plan_for(self, values: Mapping[str, NDArray[Any]]) -> bool:
        """Goes over to the plan that `values` of tensors make known, beside those of inputs; False if it cannot."""
        if self._replan is None:
            return False
        super().adopt(self._replan({**self.values_at_hand(), **values}))
        return True

    @on_its_context
    def gradients(self, of: str, wrt: Sequence[str] = ()) -> Mapping[str, str]:
        """Goes over to the plan with the backward passes of the tensor `of`: by tensor the tensor of its gradient.

        With respect to the tensors `wrt`; without any, to every float input and weight that `of` depends on. What ran
        stays; the next `run` makes the gradients too. Earlier gradients go. Of an `of` of more than one element it is
        the gradient of their sum. Raises TexelscopeError for what is no tensor of floats of the model, for one that
        does not depend on what is asked for and for shaders that no model is behind; UnsupportedError for a node
        without a derivative.
        """
        if self._replan is None:
            raise TexelscopeError(
                f"gradients of '{of}'", "a session that pipeline.open made",
                "one of a plan, whose model is not known", "Open the model with pipeline.open.",
            )  # fmt: skip
        replan = self._replan.with_gradients(of, tuple(wrt))
        plan = replan(self.values_at_hand())
        self._replan = replan
        super().adopt(plan)
        graph = plan.graph
        assert graph is not None
        wanted = wrt or (*graph.inputs, *graph.constants)
        return MappingProxyType({name: graph.gradients[name] for name in wanted if name in graph.gradients})

    def values_at_hand(self) -> dict[str, NDArray[Any]]:
        """By tensor, what was not computed: the inputs that are set, and what was put in, as their textures hold it."""
        keys = [key for key in (*self.plan.inputs, *sorted(self.injected)) if self.is_valid(key)]
        stored = (self.plan.textures[key] for key in keys)
        values = {each.tensor: self.tensor(each.key) for each in stored}
        graph = self.plan.graph
        return values if graph is None else {name: typed(graph, name, value) for name, value in values.items()}

    @on_its_context
    def inject(self, key: str, array: NDArray[Any]) -> None:
        """As `Session.inject`; a tensor of which no shape is known has the array's, and the plan follows it."""
        missing = any(key in each.outputs for each in self.plan.not_run)
        if missing and key not in self.plan.textures:
            value = np.asarray(array)  # numpy's own float64 is meant as what models hold
            self.plan_for({key: value.astype(np.float32) if value.dtype == np.float64 else value})
        super().inject(key, array)

    def _keep_up(self) -> frozenset[str] | None:
        """Plans anew if what control flow hangs on has other values; the passes that are to run then."""
        if self._replan is None or not hangs_on_values(self.plan):
            return None
        values = self.values_at_hand()
        if not all(self.is_valid(key) for key in self.plan.inputs) or still_holds(self.plan, values):
            return None
        return super().adopt(self._replan(values))

    @on_its_context
    def release(self) -> None:
        """Frees every GL object. The session cannot be used afterwards."""
        if self._recorder is not None:
            self._recorder.release()
        if self._tracer is not None:
            self._tracer.release()
        super().release()

    @on_its_context
    def capture(
        self, tensors: Mapping[str, NDArray[np.float32]] = _NOTHING, unwritten: Mapping[str, Gaps] = _NOTHING
    ) -> Capture:
        """Every valid tensor read back, with errors, times and gaps: what a comparison needs, free of GL.

        `tensors` by key, and by pass what is `unwritten` of its outputs, are known already: they are taken as they are.
        """
        known, gaps = tensors, {each.name: self._gaps(each, unwritten) for each in self.plan.passes}
        return Capture(
            target=self.plan.name,
            device=device_of(self.context),
            tensors={key: known[key] if key in known else self.tensor(key) for key in self.computed},
            errors={name: str(error) for name, error in self.shader_errors.items()},
            gpu_ms={each.name: self.gpu_ms(each.name) for each in self.plan.passes},
            injected=self.injected,
            runs_as={
                each.name: form_words(self.running(form)) for each in self.plan.passes if (form := self.form(each.name))
            },
            unwritten={key: elements for of_pass in gaps.values() for key, elements in of_pass.items()},
        )

    @property
    def computed(self) -> tuple[str, ...]:
        """Keys of the tensors that are valid and no constants: what a capture holds."""
        textures = self.plan.textures.items()
        return tuple(key for key, stored in textures if self.is_valid(key) and stored.role != "constant")

    def _gaps(self, each: Pass, known: Mapping[str, Gaps]) -> Gaps:
        if not self.has_run(each.name) or each.output in self.injected:
            return {}
        if each.name in known:
            return known[each.name]
        return {key: elements for key, elements in self.unwritten(each.name).items() if elements.any()}

    @on_its_context
    def compare(self, tolerances: Mapping[str, Tolerance] | None = None, *, findings: bool = True) -> Report:
        """Everything that ran against the oracle, here and now, with `findings` for passes that are wrong.

        See `Comparer` and `pipeline.diagnose.naming` for doing it in a thread.
        """
        from texelscope.pipeline.compare.comparer import Comparer  # a session that only runs need not wait for it
        from texelscope.pipeline.diagnose.naming import name_bugs

        capture = self.capture()
        comparer = Comparer(self.plan, tolerances)
        report = comparer.compare(capture)
        return name_bugs(self, comparer, capture, report) if findings else report

    @on_its_context
    def taps(self, name: str, place: tuple[int, ...] | int) -> ReadTrace:
        """What one element of a pass's output read and what it should have read; see `pipeline.read_trace`."""
        from texelscope.pipeline.read_trace.expected import taps
        from texelscope.pipeline.read_trace.recorder import ReadRecorder

        self._recorder = self._recorder or ReadRecorder(self)
        return taps(self, self._recorder, name, place)

    @on_its_context
    def trace(
        self,
        name: str,
        index: tuple[int, ...] | int,
        *,
        watches: Sequence[str] = (),
        window: tuple[int, int] | None = None,
    ) -> Trace:
        """What the fragment did that makes one element of a pass's output, line by line; see `pipeline.trace`.

        `watches` are GLSL expressions, told before each statement where all their names are in scope. `window` are the
        first step to record and the one behind the last; of a long trace the beginning is recorded if none is given.
        """
        from texelscope.pipeline.trace.recorder import TraceRecorder
        from texelscope.pipeline.trace.tracing import trace

        self._tracer = self._tracer or TraceRecorder(self)
        return trace(self, self._tracer, name, index, watches=watches, window=window)
