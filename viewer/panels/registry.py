"""Finds the panels: every module of this folder that names one in `PANEL`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import ClassVar, Literal, get_args

import texelscope.viewer.panels
from texelscope.pipeline.discovery import plugins
from texelscope.viewer.app import App

# In the order of their tabs where several of them are one.
Place = Literal["left", "bottom_left", "centre", "right", "bottom"]


class Panel(ABC):
    """One docked panel. `title` is its tab, `place` where it stands at first, `order` among its neighbours."""

    title: ClassVar[str]
    place: ClassVar[Place]
    order: ClassVar[int] = 0
    comes_and_goes: ClassVar[bool] = False

    def is_there(self, _app: App) -> bool:
        """Whether there is anything for it to show; one that `comes_and_goes` is not there while there is not."""
        return True

    def let_go(self) -> None:  # noqa: B027 - most hold nothing large
        """It is not there, or is not shown: holds on to nothing large of what it showed last."""

    @abstractmethod
    def draw(self, app: App) -> None:
        """Draws the panel's inside; its window is there already."""


@cache
def all_panels() -> tuple[Panel, ...]:
    """Every panel, by place and order. Raises TexelscopeError naming the file of a module without a valid one."""
    return discover(texelscope.viewer.panels)


def present(app: App) -> Iterator[Panel]:
    """Those that are shown and have something to show; the others let go of what they held."""
    for panel in all_panels():
        if app.state.shown_panels.get(panel.title, True) and panel.is_there(app):
            yield panel
        else:
            panel.let_go()


def discover(package: ModuleType) -> tuple[Panel, ...]:
    """Those of the modules of `package`, by place and order."""
    found = [plugin.instance("PANEL", Panel) for plugin in plugins(package, without=("registry",))]  # type: ignore[type-abstract]
    places = get_args(Place)
    return tuple(sorted(found, key=lambda panel: (places.index(panel.place), panel.order, panel.title)))
