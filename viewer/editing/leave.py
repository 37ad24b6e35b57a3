"""Holds what the user wants to leave for, while the window asks about unsaved work."""

from __future__ import annotations

from dataclasses import dataclass

from texelscope.pipeline.target import Target


@dataclass
class Leave:
    """A request to open `target`, or, without one, to close the window. `is_saving` while a bundle is written first."""

    target: Target | None = None
    is_saving: bool = False
    problem: str = ""
