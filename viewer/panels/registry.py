"""Finds the panels: every module of this folder that names one in `PANEL`."""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from functools import cache
from typing import ClassVar, Literal

import viewer.panels
from pipeline.errors import TexelscopeError
from viewer.app import App

Place = Literal["left", "centre", "right", "bottom_left", "bottom"]


class Panel(ABC):
    """One docked panel. `title` is its tab, `place` where it stands at first, `order` among its neighbours."""

    title: ClassVar[str]
    place: ClassVar[Place]
    order: ClassVar[int] = 0

    @abstractmethod
    def draw(self, app: App) -> None:
        """Draws the panel's inside; its window is there already."""


@cache
def all_panels() -> tuple[Panel, ...]:
    """Every panel, by place and order. Raises TexelscopeError naming the file of a module without a valid one."""
    found = []
    for module_info in pkgutil.iter_modules(viewer.panels.__path__):
        if module_info.name == "registry":
            continue
        module = importlib.import_module(f"viewer.panels.{module_info.name}")
        panel = getattr(module, "PANEL", None)
        if not isinstance(panel, Panel):
            raise TexelscopeError(
                f"viewer/panels/{module_info.name}.py",
                "PANEL, a Panel instance",
                type(panel).__name__,
                "Define it at the end of the module.",
            )
        found.append(panel)
    return tuple(sorted(found, key=lambda panel: (panel.place, panel.order, panel.title)))
