"""What is raised where a pass cannot be redone as somebody asks."""

from __future__ import annotations


class DoesNotApplyError(Exception):
    """A change that cannot be made to this part of the model."""
