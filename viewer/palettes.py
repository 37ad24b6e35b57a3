"""Defines the two looks of the window as data: every colour by its role, on dark and on light ground."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

Look = Literal["dark", "light"]
# Red, green, blue and opacity in [0, 1].
RGBA = tuple[float, float, float, float]

DARK: Mapping[str, RGBA] = MappingProxyType(
    {
        "background": (0.078, 0.086, 0.102, 1.0),
        "panel": (0.102, 0.114, 0.137, 1.0),
        "popup": (0.125, 0.141, 0.169, 0.98),
        "raised": (0.157, 0.176, 0.212, 1.0),
        "raised_hovered": (0.224, 0.251, 0.302, 1.0),
        "raised_active": (0.275, 0.310, 0.373, 1.0),
        "line": (0.235, 0.259, 0.306, 1.0),
        "text": (0.898, 0.910, 0.929, 1.0),
        "quiet": (0.647, 0.678, 0.729, 1.0),
        "faint": (0.490, 0.522, 0.580, 1.0),
        "accent": (0.427, 0.678, 0.937, 1.0),
        "good": (0.310, 0.745, 0.655, 1.0),
        "warning": (0.929, 0.745, 0.322, 1.0),
        "bad": (0.961, 0.537, 0.435, 1.0),
        "current": (0.800, 0.860, 0.300, 1.0),
        "chosen": (0.204, 0.353, 0.529, 1.0),
        "header": (0.161, 0.239, 0.333, 1.0),
        "header_hovered": (0.231, 0.333, 0.451, 1.0),
        "header_active": (0.263, 0.376, 0.506, 1.0),
        "progress": (0.204, 0.400, 0.604, 1.0),
        "stripe": (1.0, 1.0, 1.0, 0.02),
        "dim": (0.0, 0.0, 0.0, 0.5),
        "orange": (0.941, 0.588, 0.353, 1.0),
        "cyan": (0.478, 0.800, 0.902, 1.0),
        "violet": (0.714, 0.612, 0.933, 1.0),
    }
)
LIGHT: Mapping[str, RGBA] = MappingProxyType(
    {
        "background": (0.878, 0.890, 0.910, 1.0),
        "panel": (0.965, 0.969, 0.976, 1.0),
        "popup": (0.988, 0.992, 1.0, 0.98),
        "raised": (0.890, 0.902, 0.922, 1.0),
        "raised_hovered": (0.827, 0.847, 0.878, 1.0),
        "raised_active": (0.765, 0.792, 0.835, 1.0),
        "line": (0.718, 0.741, 0.780, 1.0),
        "text": (0.106, 0.122, 0.153, 1.0),
        "quiet": (0.290, 0.318, 0.373, 1.0),
        "faint": (0.376, 0.404, 0.455, 1.0),
        "accent": (0.039, 0.337, 0.647, 1.0),
        "good": (0.000, 0.384, 0.302, 1.0),
        "warning": (0.478, 0.310, 0.000, 1.0),
        "bad": (0.675, 0.110, 0.047, 1.0),
        "current": (0.430, 0.480, 0.000, 1.0),
        "chosen": (0.620, 0.765, 0.918, 1.0),
        "header": (0.749, 0.839, 0.933, 1.0),
        "header_hovered": (0.671, 0.788, 0.914, 1.0),
        "header_active": (0.600, 0.741, 0.894, 1.0),
        "progress": (0.620, 0.765, 0.918, 1.0),
        "stripe": (0.0, 0.0, 0.0, 0.03),
        "dim": (0.0, 0.0, 0.0, 0.35),
        "orange": (0.718, 0.318, 0.039, 1.0),
        "cyan": (0.000, 0.396, 0.522, 1.0),
        "violet": (0.424, 0.263, 0.722, 1.0),
    }
)
LOOKS: Mapping[Look, Mapping[str, RGBA]] = MappingProxyType({"dark": DARK, "light": LIGHT})

# Colours of text, and of its background.
WRITTEN = ("text", "quiet", "accent", "good", "warning", "bad")
GROUNDS = ("background", "panel", "popup", "raised", "header")
# On these backgrounds there is text of the first colour only, and the faintest text is on a panel only.
CHOSEN_GROUNDS = ("raised_hovered", "raised_active", "chosen", "header_hovered", "header_active", "progress")


def contrast(one: RGBA, other: RGBA) -> float:
    """Returns the contrast ratio of two colours: 1 to 21, by WCAG 2.2 (w3.org/TR/WCAG22/#dfn-contrast-ratio)."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: RGBA) -> float:
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in colour[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
