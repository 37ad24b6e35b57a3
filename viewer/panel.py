"""Finds the panels: `PANEL` of every module `panel.py` or `*_panel.py` in a folder of `viewer/`.

A new panel is one new file: nothing else lists panels. Installed plug-ins add theirs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from functools import cache
from types import ModuleType
from typing import ClassVar, Literal, get_args

import texelscope.viewer
from texelscope.pipeline.discovery import Plugin, gathered, installed
from texelscope.viewer.app import App
from texelscope.viewer.features import modules_named

# Where a panel is docked; tabs that share a place are in this order.
Place = Literal["left", "bottom_left", "centre", "right", "bottom"]


class Panel(ABC):
    """One docked panel. `title` is its tab, `place` its first position, `order` its rank among its neighbours.

    Of panels that share a place, one that is `in_front` is shown first. `key` is the key that, with Alt, should bring
    it to the front. It is optional: a panel without one, or whose key another panel has, is reached by the View menu
    and the command palette.
    """

    title: ClassVar[str]
    place: ClassVar[Place]
    order: ClassVar[int] = 0
    in_front: ClassVar[bool] = False
    comes_and_goes: ClassVar[bool] = False
    key: ClassVar[str] = ""

    def is_there(self, _app: App) -> bool:
        """Returns whether the panel has something to show; one that `comes_and_goes` is hidden otherwise."""
        return True

    def comes_quietly(self, _app: App) -> bool:
        """Returns whether a panel that has come stays behind the one in front of its place."""
        return False

    def let_go(self) -> None:  # noqa: B027 - most hold nothing large
        """Releases large data while the panel is hidden."""

    @abstractmethod
    def draw(self, app: App) -> None:
        """Draws the panel's contents; its window is open already."""


@cache
def all_panels() -> tuple[Panel, ...]:
    """Returns every panel, by place and order. Raises TexelscopeError naming a file without a valid one."""
    return _in_order((*modules_named(texelscope.viewer, "panel"), *installed("panels")))


def present(app: App) -> Iterator[Panel]:
    """Yields the visible panels that have something to show; the others release their data."""
    for panel in all_panels():
        if app.state.shown_panels.get(panel.title, True) and panel.is_there(app):
            yield panel
        else:
            panel.let_go()


def discover(package: ModuleType) -> tuple[Panel, ...]:
    """Returns the panels in the folders of `package`, by place and order."""
    return _in_order(modules_named(package, "panel"))


def _in_order(plugs: Iterable[Plugin]) -> tuple[Panel, ...]:
    found = gathered(plugs, _panel)
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
