"""Prepares shaders for a driver that takes other GLSL than its author's machine: other versions, or ASCII alone."""

from __future__ import annotations

from collections.abc import Mapping

from texelscope.pipeline.device import ShaderVersions
from texelscope.pipeline.glsl.desktop import OLDEST_DESKTOP, Stage, as_desktop, desktop_version
from texelscope.pipeline.glsl.embedded import AS_ES, as_es
from texelscope.pipeline.glsl.source_text import version_of

# Before this version GLSL is ASCII, comments too (GLSL 4.20, 3.1).
_UNICODE = 420
# The same of GLSL ES (ES 3.00, 3.1).
_ES_UNICODE = 300


def for_driver(texts: Mapping[Stage, str], versions: ShaderVersions) -> dict[Stage, str]:
    """Returns the stages of one program as the driver takes them; lines and columns stay.

    Raises NoDesktopMeaningError for GLSL ES that has no meaning to a driver with desktop GLSL alone.
    """
    if versions.desktop == 0:
        return {stage: _on_es(text, stage, versions) for stage, text in texts.items()}
    result = dict(texts)
    if any(_is_unknown(text, versions) for text in texts.values()):
        wanted = max(desktop_version(text, stage, versions.desktop) for stage, text in texts.items())
        for stage, text in texts.items():
            if _is_unknown(text, versions):
                result[stage] = as_desktop(text, stage, wanted)
    return result if versions.desktop >= _UNICODE else {stage: _in_ascii(text) for stage, text in result.items()}


def _is_unknown(text: str, versions: ShaderVersions) -> bool:
    version = version_of(text)
    if version is None:
        return False
    if version.is_es:
        return version.number > versions.es
    # A driver without any ES is one of those that may lack the oldest versions too.
    return versions.es == 0 and version.number < OLDEST_DESKTOP


def _on_es(text: str, stage: Stage, versions: ShaderVersions) -> str:
    """Returns a text for a driver of OpenGL ES: desktop GLSL in its newest version, so that the most is there.

    Old words, which desktop GLSL has until 4.20 and ES has not, are replaced first.
    """
    version = version_of(text)
    if version is None or version.is_es:
        return _in_ascii(text) if version is None or version.number < _ES_UNICODE else text
    renewed = as_desktop(text, stage, AS_ES[-1]) if version.number < _UNICODE else text
    return as_es(renewed, versions.es, versions.extensions)


def _in_ascii(text: str) -> str:
    """Returns the text with a question mark for each letter beyond ASCII, so that columns stay."""
    return text if text.isascii() else text.encode("ascii", "replace").decode()
