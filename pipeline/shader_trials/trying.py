"""Refuses the shaders of a plan that crash a driver or take it too long, without harm to this process."""

from __future__ import annotations

import dataclasses
from functools import lru_cache

from texelscope.pipeline.deadline import DeadlineError, check, within
from texelscope.pipeline.errors import ShaderError
from texelscope.pipeline.glsl.macro_growth import endless_macro
from texelscope.pipeline.glsl.other_stages import default_vertex_shader
from texelscope.pipeline.plan import Pass, Plan, ProgramSource, Refusal
from texelscope.pipeline.quotas import present
from texelscope.pipeline.shader_trials.estimate import is_strange
from texelscope.pipeline.workers.apart import WorkerEndedError, in_a_process

# Address space; a driver that compiles a known shader takes a fifth of it.
_MOST_BYTES = 2 << 30


def without_bombs(plan: Plan) -> Plan:
    """Returns the plan with programs that crash a driver refused; this program's own shaders need no trial.

    Raises DeadlineError and CancelledError of the work around it.
    """
    passes = tuple(each if each.from_operator else _tried(each, plan.name) for each in plan.passes)
    return plan if passes == plan.passes else dataclasses.replace(plan, passes=passes)


def _tried(shader_pass: Pass, plan: str) -> Pass:
    reason = reason_against(shader_pass.program)
    if not reason:
        return shader_pass
    file = shader_pass.program.files[0].path if shader_pass.program.files else plan
    refused = dataclasses.replace(shader_pass.program, fragment="", refused=Refusal(file, reason))
    return dataclasses.replace(shader_pass, program=refused)


def hold_harmless(source: ProgramSource, name: str) -> None:
    """Raises ShaderError for a program that crashes a driver or takes it too long."""
    reason = reason_against(source)
    if reason:
        raise ShaderError(source.files[0].path if source.files else name, 1, reason)


def reason_against(source: ProgramSource) -> str:
    """Says why a program is not given to the driver here; empty for one that looks harmless, or was tried."""
    texts = (source.fragment, source.vertex or "")
    if source.refused is not None or not any(map(is_strange, texts)):
        return ""
    if any(map(endless_macro, texts)):
        return ""  # it never reaches a driver: `pipeline.gl.program` reports that, with the line
    vertex = "" if source.stage == "compute" else source.vertex or default_vertex_shader(source.fragment)
    return _reason(vertex, source.fragment, present().compile_seconds)


@lru_cache(maxsize=64)
def _reason(vertex: str, fragment: str, seconds: int) -> str:
    try:
        with within(seconds, "compiling"):
            in_a_process("texelscope.pipeline.gl.program:compile_once", (vertex, fragment), "compiling", _MOST_BYTES)
    except DeadlineError:
        check()  # the deadline around it
        return (
            f"one that takes the driver more than {seconds} s, after which it was ended (--limit compile_seconds=N "
            "gives it more)"
        )
    except WorkerEndedError as error:
        return f"one that the driver dies of: {error.got}"
    return ""
