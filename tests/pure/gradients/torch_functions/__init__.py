"""Operators as PyTorch computes them: each module has FUNCTIONS of a family. Only where PyTorch is installed."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping

from tests.pure.gradients.torch_node import Results, TorchNode

Function = Callable[[TorchNode], Results]


def all_functions() -> Mapping[str, Function]:
    """Operator type → what computes it."""
    names = (info.name for info in pkgutil.iter_modules(__path__))
    modules = (importlib.import_module(f"{__name__}.{name}") for name in names)
    return {op_type: function for module in modules for op_type, function in module.FUNCTIONS.items()}
