"""Keeps `import pipeline` and `import layouts` working in a checkout: the same modules under their former names.

Each former name leads to the one module of `texelscope`, so that a class has one identity whichever name it came by.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

FORMER = ("layouts", "pipeline", "viewer")


class _FormerNames(MetaPathFinder, Loader):
    """Finds `pipeline.x` as `texelscope.pipeline.x`."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        top, _, rest = fullname.partition(".")
        return ModuleSpec(fullname, self) if top in FORMER and rest else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(f"texelscope.{spec.name}")
        # The machinery is about to give the module the former name's spec.
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        spec = module.__spec__
        if spec is not None and spec.loader is self:
            module.__spec__ = spec.loader_state


def keep(former: str) -> None:
    """Lets the top-level name `former` stand for the module in `texelscope`, with a DeprecationWarning."""
    warnings.warn(
        f"'import {former}' is deprecated: write 'from texelscope import {former}', or 'import texelscope' for "
        f"'texelscope.open'",
        DeprecationWarning,
        stacklevel=3,
    )
    if not any(isinstance(finder, _FormerNames) for finder in sys.meta_path):
        sys.meta_path.insert(0, _FormerNames())
    sys.modules[former] = import_module(f"texelscope.{former}")
