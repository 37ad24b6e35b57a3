"""Provides what tests of commands share."""

from __future__ import annotations

from tests.gl.commands.running import run

__all__ = ["run"]
