"""Nodes whose gradients are checked: each module has CASES of a family; every check runs over all of them."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass

from tests.gl.operators.single_node import NodeCase


@dataclass(frozen=True)
class GradientCase:
    """A node, the output whose gradient is taken, and how near finite differences in float64 come.

    `step` is how far they move an element. `double` is false for an operator that knows float32 alone. `torch_too` is
    false where PyTorch has nothing of the kind, or chooses otherwise at a corner. `fast` has the oracle's own
    definitions where ONNX's reference does not know the node or its gradient's. The inputs at the positions `single`
    are float32 whatever else is.
    """

    node: NodeCase
    output: int = 0
    rtol: float = 2e-5
    atol: float = 2e-6
    step: float = 1e-6
    double: bool = True
    torch_too: bool = True
    fast: bool = False
    single: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.node}{f' output {self.output}' if self.output else ''}"


def all_cases() -> tuple[GradientCase, ...]:
    """Returns the cases of all modules, by module."""
    names = sorted(info.name for info in pkgutil.iter_modules(__path__))
    modules = (importlib.import_module(f"{__name__}.{name}") for name in names)
    return tuple(case for module in modules for case in getattr(module, "CASES", ()))
