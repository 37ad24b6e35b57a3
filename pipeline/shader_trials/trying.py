"""Refuses the shaders of a plan that a driver dies of, or that take it too long, without any harm to this process."""

from __future__ import annotations

import dataclasses
from functools import lru_cache

from texelscope.pipeline.deadline import DeadlineError, check, within
from texelscope.pipeline.errors import ShaderError
from texelscope.pipeline.glsl.default_vertex import default_vertex_shader
from texelscope.pipeline.glsl.macro_growth import endless_macro
from texelscope.pipeline.plan import Pass, Plan, ProgramSource, Refusal
from texelscope.pipeline.quotas import present
from texelscope.pipeline.shader_trials.estimate import is_strange
from texelscope.pipeline.workers.apart import WorkerEndedError, in_a_process

# Of address space; a driver that compiles a known shader takes a fifth of it.
_MOST_BYTES = 2 << 30


def without_bombs(plan: Plan) -> Plan:
    """The plan, where programs that a driver dies of are refused; shaders of this program's own are taken as they are.

    Raises DeadlineError and CancelledError of what is around it.
    """
    passes = tuple(each if each.from_operator else _tried(each, plan.name) for each in plan.passes)
    return plan if passes == plan.passes else dataclasses.replace(plan, passes=passes)


def _tried(each: Pass, plan: str) -> Pass:
    reason = reason_against(each.program)
    if not reason:
        return each
    file = each.program.files[0].path if each.program.files else plan
    refused = dataclasses.replace(each.program, fragment="", refused=Refusal(file, reason))
    return dataclasses.replace(each, program=refused)


def hold_harmless(source: ProgramSource, name: str) -> None:
    """Raises ShaderError for a program that a driver dies of or that takes it too long."""
    reason = reason_against(source)
    if reason:
        raise ShaderError(source.files[0].path if source.files else name, 1, reason)


def reason_against(source: ProgramSource) -> str:
    """Why a program is not handed to the driver here; empty for one that looks harmless, or was tried."""
    texts = (source.fragment, source.vertex or "")
    if source.refused is not None or not any(map(is_strange, texts)):
        return ""
    if any(map(endless_macro, texts)):
        return ""  # it never comes to a driver: `pipeline.gl.program` says so, with the line
    vertex = "" if source.stage == "compute" else source.vertex or default_vertex_shader(source.fragment)
    return _reason(vertex, source.fragment, present().compile_seconds)


@lru_cache(maxsize=64)
def _reason(vertex: str, fragment: str, seconds: int) -> str:
    try:
        with within(seconds, "compiling"):
            in_a_process("texelscope.pipeline.gl.program:compile_once", (vertex, fragment), "compiling", _MOST_BYTES)
    except DeadlineError:
        check()  # of what is around it
        return f"one that takes the driver more than {seconds} s, after which it was ended"
    except WorkerEndedError as error:
        return f"one that the driver dies of: {error.got}"
    return ""
