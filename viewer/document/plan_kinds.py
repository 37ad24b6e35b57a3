"""Tells kinds of plans apart, without importing what the plan of a model does not need.

A window opens sooner that way: most starts are with a model, and the rest is a third of the program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from texelscope.pipeline.plan import Plan

if TYPE_CHECKING:
    from texelscope.pipeline.dialects.effects.passes import EffectPlan
    from texelscope.pipeline.dialects.mpv.passes import ShaderPlan
    from texelscope.pipeline.importers.planned_draft import DraftedPlan
    from texelscope.pipeline.pipeline_file.file_plan import FilePlan


def as_shader_plan(plan: Plan | None) -> ShaderPlan | None:
    """Returns the plan if it is that of an mpv shader or of an effect, whose files have parameters."""
    if _is_of_model(plan):
        return None
    from texelscope.pipeline.dialects.mpv.passes import ShaderPlan

    return plan if isinstance(plan, ShaderPlan) else None


def as_effect_plan(plan: Plan | None) -> EffectPlan | None:
    """Returns the plan if it is that of an effect, whose passes are translated."""
    if _is_of_model(plan):
        return None
    from texelscope.pipeline.dialects.effects.passes import EffectPlan

    return plan if isinstance(plan, EffectPlan) else None


def as_file_plan(plan: Plan | None) -> FilePlan | None:
    """Returns the plan if it is that of a pipeline file or of a draft, whose passes have values."""
    if _is_of_model(plan):
        return None
    from texelscope.pipeline.pipeline_file.file_plan import FilePlan

    return plan if isinstance(plan, FilePlan) else None


def as_drafted_plan(plan: Plan | None) -> DraftedPlan | None:
    """Returns the plan if it is that of a draft that is in no file."""
    if _is_of_model(plan):
        return None
    from texelscope.pipeline.importers.planned_draft import DraftedPlan

    return plan if isinstance(plan, DraftedPlan) else None


def _is_of_model(plan: Plan | None) -> bool:
    return plan is None or type(plan) is Plan
