"""Recognises edits that make up in a shader's text for a uniform that the pipeline file does not set.

The uniform is 0: a number added to it, a function of it, or something else in its place may give the right values, and
the file would still lack it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from texelscope.pipeline.compare.repairs import LineEdit
from texelscope.pipeline.glsl.semantics.questions import WORD
from texelscope.pipeline.plan import UnsetUniform

# Stands for a mention of such a uniform.
_MENTION = "texelscope_unset"
_BETWEEN = r"\s*(?:\[[^\]\n]{0,99}\])?\s*\.\s*"
_NUMBER = re.compile(r"\.?\d")


def makes_up_for(edits: Sequence[LineEdit], unset: Sequence[UnsetUniform]) -> bool:
    """Whether edits replace a mention of an unset uniform, or put a number or a function of numbers beside one."""
    for pattern in map(_pattern, unset):
        texts = [(_marked(pattern, edit.before or ""), _marked(pattern, edit.after or "")) for edit in edits]
        before, after = (sum(each[side].count(_MENTION) for each in texts) for side in (0, 1))
        if after < before or (before and any(_has_numbers_beside(*each) for each in texts)):
            return True
    return False


def _pattern(uniform: UnsetUniform) -> re.Pattern[str]:
    """Returns what matches the uniform by its author's name, with any index."""
    name = uniform.key.partition(".")[2].strip('"')
    if uniform.key.startswith("push."):  # its name in the text has the block's before it
        name = uniform.name
    parts = [re.escape(re.sub(r"\[\d+\]", "", part)) for part in name.split(".")]
    return re.compile(rf"(?<![\w.]){_BETWEEN.join(parts)}\b")


def _marked(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(_MENTION, text)


def _has_numbers_beside(before: str, after: str) -> bool:
    old, new = WORD.findall(before), WORD.findall(after)
    return any(_is_of_numbers(new, start, stop) for start, stop in _insertions_beside(old, new))


def _insertions_beside(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yields the ranges of new words that begin or end at a mention."""
    for tag, _, _, start, stop in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag in ("insert", "replace") and _MENTION in (*new[max(start - 1, 0) : start], *new[stop : stop + 1]):
            yield start, stop


def _is_of_numbers(words: Sequence[str], start: int, stop: int) -> bool:
    """Whether some words hold a number, and no name but those of functions."""
    names = [at for at in range(start, stop) if words[at][0].isalpha() or words[at][0] == "_"]
    is_called = all(words[at + 1 : at + 2] == ["("] for at in names)
    return is_called and (bool(names) or any(_NUMBER.match(words[at]) for at in range(start, stop)))
