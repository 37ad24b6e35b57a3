"""Opens a target as a session, with its inputs set."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import first_of, logger
from texelscope.pipeline.deadline import phase
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.context import limits_of, limits_seen, made_on
from texelscope.pipeline.importers.registry import importer_for, plan_of
from texelscope.pipeline.inputs.sources import load_source
from texelscope.pipeline.inputs.values import places
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.quotas import allowing, hold
from texelscope.pipeline.start_marks import mark
from texelscope.pipeline.target import DEFAULT_SOURCE, OpenOptions, Target
from texelscope.pipeline.value_dependence import hangs_on_values

if TYPE_CHECKING:
    import moderngl
    import onnx

Prepare = Callable[[DebugSession], None]
_LOG = logger("texelscope.plan")


def open_session(
    target: str | Path | onnx.ModelProto, options: OpenOptions, context: moderngl.Context | None = None
) -> DebugSession:
    """Opens a session on a target, within the limits of its context. Raises TexelscopeError if it cannot.

    Without a `context` the session makes one, with no window, and releases it at its end.
    """
    seen = limits_seen() if context is None else None
    # A context is never wholly freed, so what cannot be planned is refused before one is made.
    planned = plan_of(target, dataclasses.replace(options, limits=seen)) if seen is not None else None

    def make(context: moderngl.Context) -> DebugSession:
        mark("context")
        within = dataclasses.replace(options, limits=limits_of(context))
        plan = planned if planned is not None and _are_same(within.limits, seen) else plan_of(target, within)
        return DebugSession(plan, context, replan=Replanning(target, within))

    return made_on(context, make)


def _are_same(one: Limits | None, other: Limits | None) -> bool:
    """Whether two drivers allow the same, whatever memory was left when they were asked."""
    if one is None or other is None:
        return one is other
    return dataclasses.replace(one, max_total_bytes=other.max_total_bytes) == other


@dataclass(frozen=True)
class Replanning:
    """Opens the target again, within the limits of the options, for new values."""

    target: str | Path | onnx.ModelProto
    options: OpenOptions

    def __call__(self, values: Mapping[str, NDArray[Any]]) -> Plan:
        """See `pipeline.value_dependence.Replan`."""
        return plan_of(self.target, dataclasses.replace(self.options, values={**self.options.values, **values}))

    def with_gradients(self, of: str, wrt: tuple[str, ...]) -> Replanning:
        """See `pipeline.value_dependence.Replan`."""
        return Replanning(self.target, dataclasses.replace(self.options, gradients=of, wrt=wrt))


def open_and_run(target: Target, prepare: Prepare | None = None, *, frame: int | None = None) -> DebugSession:
    """Opens a session on the target with all inputs set, prepares it and runs it, up to the frame of that number.

    The caller releases it. Raises TexelscopeError if it cannot run, or if a `frame` is named and it has none.
    """
    target = sized(target)
    session = open_session(target.path, target.options)
    try:
        set_inputs(session, target)
        mark("opened")
        for warning in first_of(session.plan.warnings, "warnings"):
            _LOG.warning("%s", warning)
        if prepare is not None:
            prepare(session)
        with phase("running_seconds", f"running {session.plan.name}"):
            session.run(frames=last_frame(session.plan, frame) + 1)
            session.finish()
        mark("ran")
    except BaseException:
        session.release()
        raise
    return session


def last_frame(plan: Plan, frame: int | None, option: str = "--frame") -> int:
    """Returns the number of the frame to run to: 0 if none is named, by `option`.

    Raises TexelscopeError for more frames than the limit, and for a target without frames.
    """
    if frame is None:
        return 0
    if not plan.has_frames:
        expected, got = "a pipeline file with 'frames', or a pass that reads the frame before", f"'{plan.name}'"
        raise TexelscopeError(option, expected, f"{got}, whose frames are all alike", "Leave it out.")
    hold(option, "frames", frame + 1)
    return frame


def sized(target: Target) -> Target:
    """Returns the target with its input as large as its picture, where the model takes any size and none is given."""
    try:
        with allowing(target.options.quotas):
            found = importer_for(target.path).shapes_for(target.path, target.inputs)
    except TexelscopeError:  # opening it reports this
        return target
    shapes = {**found, **target.options.shapes}
    same = shapes.keys() == target.options.shapes.keys()
    return target if same else dataclasses.replace(target, options=dataclasses.replace(target.options, shapes=shapes))


def set_inputs(session: DebugSession, target: Target) -> None:
    """Loads and uploads every input; those that neither the command line nor the target sets get seeded noise.

    Indices into a table stay inside it.
    """
    with allowing(target.options.quotas):
        values = named_inputs(session.plan, target)
    for name in session.plan.inputs:
        if name in values:
            session.set_input(name, values[name])
        elif not session.is_valid(name):
            stored, graph = session.plan.textures[name], session.plan.graph
            noise = load_source(DEFAULT_SOURCE, stored.shape, name=name, dtype=stored.dtype)
            count = places(graph, name) if graph is not None else None
            session.set_input(name, noise if count is None else noise % count)


def planned_for_inputs(target: Target) -> Plan:
    """Returns the plan of a target, without GL; where control flow depends on its inputs, that for their values."""
    target = sized(target)
    plan = plan_of(target.path, target.options)
    if not hangs_on_values(plan):
        return plan
    values = {plan.textures[key].tensor: value for key, value in all_inputs(plan, target).items()}
    return Replanning(target.path, target.options)(values)


def all_inputs(plan: Plan, target: Target) -> dict[str, NDArray[np.float32]]:
    """Returns every input by key: the target's own value, else the file's, else noise."""
    with allowing(target.options.quotas):
        found = named_inputs(plan, target)
    for key in plan.inputs:
        if key not in found:
            stored = plan.textures[key]
            initial = plan.initial_inputs.get(key)
            source = load_source(DEFAULT_SOURCE, stored.shape, name=key, dtype=stored.dtype)
            found[key] = source if initial is None else initial
    return found


def named_inputs(plan: Plan, target: Target) -> dict[str, NDArray[np.float32]]:
    """Returns the inputs that the target names sources for, by key. Raises TexelscopeError for other names."""
    sources = dict(target.inputs)
    names = plan.inputs
    if "" in sources:
        if len(names) != 1:
            raise TexelscopeError(
                "--input", f"NAME=FILE, NAME one of {', '.join(names)}", f"'{sources['']}'", "Add the name."
            )
        sources[names[0]] = sources.pop("")
    for name in sources:
        if name not in names:
            raise TexelscopeError(
                "--input", f"an input of the model ({', '.join(names)})", f"'{name}'", "Correct the name."
            )
    return {
        name: load_source(source, plan.textures[name].shape, name=name, dtype=plan.textures[name].dtype)
        for name, source in sources.items()
    }
