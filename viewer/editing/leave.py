"""What a person wants to leave for, while the window asks what becomes of unsaved work."""

from __future__ import annotations

from dataclasses import dataclass

from texelscope.pipeline.target import Target


@dataclass
class Leave:
    """To open `target`, or, without one, to close the window. `is_saving` while a bundle is being written first."""

    target: Target | None = None
    is_saving: bool = False
    problem: str = ""
