"""Takes out of a shader's text the macros that nothing in it uses: what they mention is not used either."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texelscope.pipeline.glsl.source_text import without_comments

# A definition, with the lines that continue it.
_DEFINE = re.compile(
    r"^[ \t]{0,99}#[ \t]{0,99}define[ \t]{1,99}(?P<name>\w{1,99})(?P<body>(?:\\\r?\n|[^\n\\]|\\(?!\r?\n))*+)",
    re.MULTILINE,
)
_WORD = re.compile(r"[A-Za-z_]\w*")


def without_unused_macros(text: str) -> str:
    """Returns the text without comments and unused macros; the number of lines stays."""
    bare = without_comments(text)
    if "define" not in bare:
        return bare
    used = {*_used_words(bare)}
    return _DEFINE.sub(lambda match: match[0] if match["name"] in used else "\n" * match[0].count("\n"), bare)


def _used_words(bare: str) -> Iterator[str]:
    """Yields the words outside definitions, and those of the definitions that these use, each once."""
    bodies: dict[str, list[str]] = {}
    for match in _DEFINE.finditer(bare):
        bodies.setdefault(match["name"], []).append(match["body"])
    pending, seen = _WORD.findall(_DEFINE.sub("", bare)), set[str]()
    while pending:
        word = pending.pop()
        if word not in seen:
            seen.add(word)
            yield word
            pending += [each for body in bodies.get(word, ()) for each in _WORD.findall(body)]
