"""Finds the panels: every module of this folder that names one in `PANEL`, and those of installed plug-ins."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from functools import cache
from types import ModuleType
from typing import ClassVar, Literal, get_args

import texelscope.viewer.panels
from texelscope.pipeline.discovery import Plugin, gathered, installed, plugins
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
    return _in_order((*plugins(texelscope.viewer.panels, without=("registry",)), *installed("panels")))


def present(app: App) -> Iterator[Panel]:
    """Those that are shown and have something to show; the others let go of what they held."""
    for panel in all_panels():
        if app.state.shown_panels.get(panel.title, True) and panel.is_there(app):
            yield panel
        else:
            panel.let_go()


def discover(package: ModuleType) -> tuple[Panel, ...]:
    """Those of the modules of `package`, by place and order."""
    return _in_order(plugins(package, without=("registry",)))


def _in_order(plugs: Iterable[Plugin]) -> tuple[Panel, ...]:
    found = list(gathered(plugs, _panel))
    places = get_args(Place)
    return tuple(sorted(found, key=lambda panel: (places.index(panel.place), panel.order, panel.title)))


def _panel(plugin: Plugin) -> Iterator[Panel]:
    panel = plugin.instance("PANEL", Panel)  # type: ignore[type-abstract]
    if getattr(panel, "place", None) not in get_args(Place):
        got = repr(getattr(panel, "place", None))
        raise plugin.refuse(f"a place, {' or '.join(get_args(Place))}", got, f"Set place in {type(panel).__name__}.")
    if not isinstance(getattr(panel, "title", None), str):
        raise plugin.refuse("a title", repr(getattr(panel, "title", None)), f"Set title in {type(panel).__name__}.")
    yield panel
