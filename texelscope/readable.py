"""Writes letters that a console's encoding lacks as others that it has: `✗` as `x`, `→` as `->`, `é` as `e`.

Windows pipes a program's output in an encoding of 256 letters, such as cp1252 or cp437.
"""

from __future__ import annotations

import codecs
import unicodedata

ERRORS = "texelscope.readable"
_WORDS = {
    "·": "*", "−": "-", "…": "...", "→": "->", "↦": "->", "●": "*", "○": "o", "◐": "o", "✗": "x", "×": "x", "∘": "o",
    "∗": "*", "‖": "||", "⌈": "ceil(", "⌉": ")", "⌊": "floor(", "⌋": ")", "≤": "<=", "≥": ">=", "±": "+-", "√": "sqrt ",
    "∞": "inf", "∂": "d", "∫": "integral ", "Σ": "sum ", "Π": "product ", "–": "-", "—": "-", "‘": "'", "’": "'",
    "“": '"', "”": '"', "⁄": "/", "§": "section ",
}  # fmt: skip
_GREEK = "GREEK SMALL LETTER ", "GREEK CAPITAL LETTER "


def register() -> None:
    """Makes `ERRORS` known to Python, as what a stream does with letters that it cannot encode."""
    codecs.register_error(ERRORS, _replaced)


def _replaced(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    given = error.object[error.start : error.end]
    return "".join(_word_for(letter, error.encoding) for letter in given), error.end


def _word_for(letter: str, encoding: str) -> str:
    for word in _words_for(letter):
        try:
            word.encode(encoding)
        except UnicodeEncodeError:
            continue
        return word
    return letter.encode("ascii", "backslashreplace").decode("ascii")


def _words_for(letter: str) -> tuple[str, ...]:
    """Returns what may stand for a letter, the best first."""
    name = unicodedata.name(letter, "")
    if letter in _WORDS:
        return (_WORDS[letter],)
    for start in _GREEK:
        if name.startswith(start) and " " not in name.removeprefix(start):
            return (name.removeprefix(start).lower(),)
    parts = unicodedata.normalize("NFKD", letter)
    plain = "".join(_WORDS.get(part, part) for part in parts if not unicodedata.combining(part))
    if plain == letter:
        return ()
    return (f"^{plain}",) if unicodedata.decomposition(letter).startswith("<super>") else (plain,)
