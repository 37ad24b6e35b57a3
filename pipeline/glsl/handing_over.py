"""Prepares shaders for a driver that takes other GLSL than its author's machine: other versions, or ASCII alone."""

from __future__ import annotations

from collections.abc import Mapping

from texelscope.pipeline.device import ShaderVersions
from texelscope.pipeline.glsl.desktop import OLDEST_DESKTOP, as_desktop, desktop_version, lowered
from texelscope.pipeline.glsl.embedded import AS_ES, as_es
from texelscope.pipeline.glsl.lines import behind_head
from texelscope.pipeline.glsl.old_words import Stage, TextCopy, has_old_words, renew
from texelscope.pipeline.glsl.source_text import version_of, with_directive

# Before this version GLSL is ASCII, comments too (GLSL 4.20, 3.1).
_UNICODE = 420
# The same of GLSL ES (ES 3.00, 3.1).
_ES_UNICODE = 300
# The last version of desktop GLSL.
_NEWEST = 460
# Before this version no directive names a profile.
_FIRST_WITH_PROFILES = 150


def for_driver(texts: Mapping[Stage, str], versions: ShaderVersions) -> dict[Stage, str]:
    """Returns the stages of one program as the driver takes them; lines and columns stay.

    Raises NoDesktopMeaningError for GLSL ES that has no meaning to a driver with desktop GLSL alone.
    """
    if versions.desktop == 0:
        return {stage: _on_es(text, stage, versions) for stage, text in texts.items()}
    result = {stage: _in_known_version(text, stage, versions) for stage, text in texts.items()}
    if any(_is_unknown(text, versions) for text in texts.values()):
        wanted = max(desktop_version(text, stage, versions.desktop) for stage, text in texts.items())
        for stage, text in texts.items():
            if _is_unknown(text, versions):
                result[stage] = as_desktop(result[stage], stage, wanted)
    return result if versions.desktop >= _UNICODE else {stage: _in_ascii(text) for stage, text in result.items()}


def _is_unknown(text: str, versions: ShaderVersions) -> bool:
    version = version_of(text)
    if version is None:
        return False
    if version.is_es:
        return version.number > versions.es
    # A driver without any ES is one of those that may lack the oldest versions too.
    return versions.es == 0 and version.number < OLDEST_DESKTOP


def _in_known_version(text: str, stage: Stage, versions: ShaderVersions) -> str:
    """Returns a text without words that its version has no more, and in none that the driver does not know.

    A version beyond the driver's newest becomes that one: what the text needs of it the driver names. A core driver has
    no compatibility profile.
    """
    version = version_of(text)
    if version is None or _is_unknown(text, versions):
        return text
    is_kept = version.is_es or version.number > _NEWEST
    number = version.number if is_kept else min(version.number, versions.desktop)
    if number < version.number:
        text = lowered(text, stage, number)
    # Drivers without ES, such as macOS's, have no old words from 1.40 on.
    gone_from = _ES_UNICODE if version.is_es else OLDEST_DESKTOP if versions.es == 0 else _UNICODE
    if version.number >= gone_from and has_old_words(text, stage):
        return renewed_es(text, stage) if version.is_es else as_desktop(text, stage, max(number, AS_ES[-1]))
    if version.profile == "compatibility":
        return with_directive(
            text, f"#version {number} core" if number >= _FIRST_WITH_PROFILES else f"#version {number}"
        )
    return text


def _on_es(text: str, stage: Stage, versions: ShaderVersions) -> str:
    """Returns a text for a driver of OpenGL ES: desktop GLSL in its newest version, so that the most is there.

    Old words, which desktop GLSL has until 4.20 and ES has not, are replaced first.
    """
    version = version_of(text)
    if version is not None and version.is_es and version.number >= _ES_UNICODE and has_old_words(text, stage):
        return renewed_es(text, stage)
    if version is None or version.is_es:
        return _in_ascii(text) if version is None or version.number < _ES_UNICODE else text
    is_old = version.number < _UNICODE
    renewed = as_desktop(text, stage, AS_ES[-1]) if is_old or has_old_words(text, stage) else text
    return as_es(renewed, versions.es, versions.extensions)


def renewed_es(text: str, stage: Stage) -> str:
    """Returns a text of GLSL ES 3.00 or later with the words of its version, as three.js hands over older ones."""
    copy = TextCopy.of(text)
    added = renew(copy, stage, is_es=True)
    return behind_head(copy.text, *added) if added else copy.text


def _in_ascii(text: str) -> str:
    """Returns the text with a question mark for each letter beyond ASCII, so that columns stay."""
    return text if text.isascii() else text.encode("ascii", "replace").decode()
