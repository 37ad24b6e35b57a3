"""Reads the parameters of the open shader, and writes a value among those that were chosen."""

from __future__ import annotations

from collections.abc import Mapping

from texelscope.pipeline.dialects.mpv.blocks import HookParameter
from texelscope.pipeline.dialects.mpv.passes import ShaderPlan
from texelscope.pipeline.dialects.mpv.settings import written
from texelscope.viewer.app import App


def parameters_of(app: App) -> tuple[HookParameter, ...]:
    """Returns the parameters of the open shader, with their present values; none of anything else."""
    session = app.document.session
    return session.plan.parameters if session is not None and isinstance(session.plan, ShaderPlan) else ()


def with_value(dialect: Mapping[str, str], parameter: HookParameter, number: float) -> dict[str, str]:
    """Returns what was chosen, with another number for a parameter: the nearest that it takes."""
    return {**dialect, parameter.name: written(parameter, number)}
