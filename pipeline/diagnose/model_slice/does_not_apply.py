"""The error of a model edit that does not apply to a pass."""

from __future__ import annotations


class DoesNotApplyError(Exception):
    """The edit cannot be made to this part of the model."""
