"""Adapts proposals to a shader's version of GLSL: missing functions and operators are rewritten, or dropped."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator

from texelscope.pipeline.glsl.source_text import Version, version_of, without_comments
from texelscope.pipeline.repair.words.mutation import Mutation

# Of GLSL 1.30 and of GLSL ES 3.00.
_LATER = frozenset(
    {
        "round", "roundEven", "trunc", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "modf", "isnan", "isinf",
        "uint", "uvec2", "uvec3", "uvec4", "texture", "textureLod", "textureOffset", "textureLodOffset", "textureGrad",
        "texelFetch", "texelFetchOffset", "textureSize",
    }
)  # fmt: skip
# Of GLSL 1.20 as well.
_OF_MATRICES = frozenset({"transpose", "outerProduct"})
# For floats alone before these versions.
_OF_FLOATS = re.compile(r"\b(?:abs|min|max|clamp|sign)\s*\(")
_WORD, _REST = re.compile(r"[A-Za-z_]\w*"), re.compile(r"%")
_FIRST, _FIRST_ES, _FIRST_OF_MATRICES = 130, 300, 120


class Available:
    """The vocabulary of one shader. Whatever it uses anywhere is available: its own functions, and extensions."""

    def __init__(self, source: str) -> None:
        text, lacking = without_comments(source), _lacking(version_of(source))
        self._lacking = lacking - {*_WORD.findall(text)}
        self._has_rest, self._is_old = "%" in text, bool(lacking)

    def said(self, proposals: Iterable[Mutation], scalar: str) -> Iterator[Mutation]:
        """Yields proposals in this version's terms, for a value of a scalar type, without inexpressible ones."""
        for each in proposals:
            if (said := self._said(each, scalar) if self._is_old else each) is not None:
                yield said

    def _said(self, proposal: Mutation, scalar: str) -> Mutation | None:
        new, template = (self._in_version(text) for text in (proposal.new, proposal.template))
        if new is None or template is None:
            return None
        if scalar != "float" and len(_OF_FLOATS.findall(new)) > len(_OF_FLOATS.findall(proposal.old)):
            return None
        return dataclasses.replace(proposal, new=new, template=template)

    def _in_version(self, text: str) -> str | None:
        if "tanh" in self._lacking:
            text = _without_tanh(text)
        if not self._has_rest and _REST.search(text):
            return None
        return None if self._lacking & {*_WORD.findall(text)} else text


def _lacking(version: Version | None) -> frozenset[str]:
    """Returns the names that a version lacks; without one the first GLSL is assumed."""
    if version is not None and version.number >= (_FIRST_ES if version.is_es else _FIRST):
        return frozenset()
    has_matrices = version is not None and not version.is_es and version.number >= _FIRST_OF_MATRICES
    return _LATER if has_matrices else _LATER | _OF_MATRICES


def _without_tanh(text: str) -> str:
    """Writes the hyperbolic tangent with an exponential."""
    while (found := re.search(r"\btanh\s*\(", text)) is not None:
        depth, stop = 1, found.end()
        while depth and stop < len(text):
            depth += {"(": 1, ")": -1}.get(text[stop], 0)
            stop += 1
        if depth:
            return text
        inner = text[found.end() : stop - 1]
        text = f"{text[: found.start()]}(1.0 - 2.0 / (exp(2.0 * ({inner})) + 1.0)){text[stop:]}"
    return text
