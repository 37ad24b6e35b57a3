"""What of a plan is backward, in words and links: from a tensor to its gradient and back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from texelscope.pipeline.plan import Plan

# Stands before what computes gradients.
SIGN = "∂"


@dataclass(frozen=True)
class GradientLink:
    """`label` says what it is and `tensor` which; `layer` shows it, and of a tensor that no layer makes `key`."""

    label: str
    tensor: str
    layer: str = ""
    key: str = ""


def choices(plan: Plan, selected: str | None) -> tuple[str, ...]:
    """Tensors that gradients can be asked of: the selected layer's, then the model's float outputs."""
    graph = plan.graph
    if graph is None:
        return ()
    stored = plan.stored(selected) if selected is not None else None
    tensors = [stored.tensor] if stored is not None else []
    tensors += [plan.textures[key].tensor for key in plan.outputs if key in plan.textures]
    forward = (name for name in tensors if name not in graph.made_backward and name not in graph.inputs)
    made = (name for name in forward if name in graph.tensors and graph.producer(name) is not None)
    return tuple(dict.fromkeys(name for name in made if graph.tensors[name].dtype.startswith("float")))


def links(plan: Plan, name: str) -> tuple[GradientLink, ...]:
    """Of the layer called `name`: its gradient and those of its weights; of a gradient what it is the gradient of."""
    stored = plan.stored(name)
    if stored is None or not plan.gradients:
        return ()
    if name in plan.backward:
        return tuple(_link(plan, "gradient of", tensor) for tensor, g in plan.gradients.items() if g == stored.tensor)
    return tuple(_link(plan, f"{SIGN} {tensor}", plan.gradients[tensor]) for tensor in _own(plan, name, stored.tensor))


def _own(plan: Plan, name: str, tensor: str) -> Iterator[str]:
    found = plan.find(name)
    read = [plan.textures[key] for key in found.reads] if found is not None else []
    names = (tensor, *(each.tensor for each in read if each.role == "constant"))
    return (each for each in dict.fromkeys(names) if each in plan.gradients)


def _link(plan: Plan, label: str, tensor: str) -> GradientLink:
    found = plan.find(tensor)
    if found is not None or tensor in plan.inputs:
        return GradientLink(label, tensor, layer=found.name if found is not None else tensor)
    key = next((key for key, stored in plan.textures.items() if stored.tensor == tensor), "")
    return GradientLink(label, tensor, key=key)
