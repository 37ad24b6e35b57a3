"""Finds words of dialect in text that a person reads: errors, labels, evidence, remedies."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from tests.plain_english.offence import Offence

RULE = "dialect"
# Each pattern with the plain way to say it.
BANNED: Mapping[str, str] = {
    r"\bmend(s|ed|ing)?\b": "fix, repair",
    r"\b(tells?|told|telling)\b": "report, show, recognise, distinguish",
    r"\b(hangs?|hung|hanging) on\b": "depend on",
    r"\bat hand\b": "available, known",
    r"\b(comes?|came) right\b": "becomes correct",
    r"\bway back\b": "backward pass, inverse",
    r"\bwhat (\w+ ){1,4}of (it|them|a|an|one|the)\b": "name the thing",
    r"^what\b(?!.*\?)": "name the thing",
    r"\bsuch an? ": "name the thing",
    r"\bto go by\b": "to decide by",
    r"\basked for\b": "requested, or say who asks",
    r"\bof (its|their) own\b": "own, separate",
    r"\bof one that one\b": "name the thing",
    r"\bby and by\b": "gradually",
}
_PATTERNS = {re.compile(pattern, re.IGNORECASE): better for pattern, better in BANNED.items()}
# A message has several words. A pattern, a path, a shader and a name have no sentence in them.
_MESSAGE = re.compile(r"[A-Za-z]{2,}[,:;]? [a-z]")
_CODE = re.compile(r"\bvoid\b|\buniform\b|;\s*$|\\b|\(\?")


def dialect(file: str, tree: ast.AST) -> Iterator[Offence]:
    """Offences in the strings of a module; docstrings are not messages."""
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield from (
                Offence(file, node.lineno, RULE, found, f"'{_short(node.value)}' (better: {better})")
                for found, better in banned(node.value)
            )


def banned(text: str) -> list[tuple[str, str]]:
    """The words of dialect in a message, each with the plain way to say it; none in what is no message."""
    if not _MESSAGE.search(text) or _CODE.search(text):
        return []
    return [(match[0].strip(), better) for pattern, better in _PATTERNS.items() for match in pattern.finditer(text)]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 90 else f"{line[:87]}..."
