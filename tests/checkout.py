"""Locates the checkout, whatever folder a test is in."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
