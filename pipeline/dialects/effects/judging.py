"""Gives an effect its oracle: the network of its own text, of a former one, of another effect, or a model."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType

from texelscope.pipeline.dialects.effects.network import judged_by_itself, network_of_effect
from texelscope.pipeline.dialects.effects.passes import EffectPlan
from texelscope.pipeline.dialects.mpv.network.of_plan import judged_by, reason_of
from texelscope.pipeline.dialects.mpv.weights.model_oracle import with_model_oracle
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.target import OpenOptions


def judged(
    plan: EffectPlan, oracle: str, suffixes: tuple[str, ...], planned: Callable[[Path], EffectPlan]
) -> EffectPlan:
    """Adds the oracle at the path `oracle`, an effect with one of `suffixes` or a model; if empty, the plan's own text.

    Raises TexelscopeError for an oracle with other tensors.
    """
    if not oracle:
        return judged_by_itself(plan)
    path = Path(oracle)
    if path.suffix.lower() in suffixes:
        network = network_of_effect(planned(path), goes_on=True)
        reasons = {each.tensor: reason_of(each.error) for each in network.left_out}
        by = judged_by(dataclasses.replace(plan, unjudged=MappingProxyType(reasons)), network.graph())
        return dataclasses.replace(by, files=(*by.files, path.resolve()))
    made = [key for each in plan.passes for key in each.outputs]
    return with_model_oracle(plan, path, made, lambda: network_of_effect(plan).graph())


def judged_as_before(
    edited: EffectPlan, before: Plan, options: OpenOptions, former: Callable[[], EffectPlan]
) -> EffectPlan | None:
    """Returns an edited effect with the oracle of the plan before; None where it has to be planned anew.

    With another value of a parameter the former text has it too.
    """
    is_varied = _is_varied(edited, before, options)
    if before.graph is None or (is_varied and (edited.text == edited.former_text or options.oracle)):
        return None
    try:
        judge: Plan = judged_by_itself(former()) if is_varied else before
        made = {edited.textures[key].tensor for each in edited.passes for key in each.outputs}
        if judge.graph is None or not made <= {*judge.graph.tensors, *judge.unjudged}:
            return None
        return judged_by(dataclasses.replace(edited, unjudged=judge.unjudged), judge.graph)
    except TexelscopeError:  # other sizes: another network
        return None


def _is_varied(edited: EffectPlan, before: Plan, options: OpenOptions) -> bool:
    """Reports whether a chosen parameter has another value than before."""
    known = {each.name: each.initial for each in before.parameters} if isinstance(before, EffectPlan) else {}
    return any(known.get(each.name) != each.initial for each in edited.parameters if each.name in options.dialect)
