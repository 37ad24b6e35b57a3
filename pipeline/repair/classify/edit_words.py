"""Classifies an edit by its words alone: what it exchanges, inserts or removes, and the number that it writes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal

from texelscope.pipeline.compare.repairs import LineEdit, Repair, apart, common_ends
from texelscope.pipeline.glsl.semantics.questions import WORD
from texelscope.pipeline.repair.classify.otherwise import bare_words, calls_of, with_signs

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?[fF]?")
_SWIZZLE = re.compile(r"[xyzw]{1,4}|[rgba]{1,4}|[stpq]{1,4}")
# A variable that something is added to, and one that is multiplied or divided.
_ADDING = re.compile(r"(\w[\w.\[\]]*)\s*(\+=|=\s*\1\s*\+)")
_SCALING = re.compile(r"(\w[\w.\[\]]*)\s*([*/]=|=\s*\1\s*[*/])")
# An assignment of a first value, and zero.
_BEGINNING = re.compile(r"(\w+)(?:\[\w+\])?\s*=\s*([^=;]+);")
_NOTHING = re.compile(r"(?:vec\d\()?0(?:\.0*)?f?\)?")
_CALL = re.compile(r"[A-Za-z_]\w*\s*\(")
# Nonlinear operations: a call, a choice, a product with itself.
_BENDING = frozenset({"call", "?", "*", "/"})
_SIGNS = frozenset("+-()")
_WHOLE, _ASKING = frozenset({"fract", "mod", "floor", "%"}), frozenset({"|", "&", "!", "<", ">", "||", "&&"})
_ROUNDING = frozenset({"floor", "ceil", "round", "roundEven", "trunc"})
# Some, but not all, lanes of a vector.
FIRST_LANES = frozenset({"x", "xy", "xyz", "r", "rg", "rgb"})


def are_exchanged(repair: Repair) -> bool:
    """Whether a repair swaps two lines, or a named part of them."""
    if len(repair.edits) != 2 or any(edit.before is None or edit.after is None for edit in repair.edits):
        return False
    (old, new), (other_old, other_new) = (_apart(edit) for edit in repair.edits)
    have_names = all(any(word[0].isalpha() or word[0] == "_" for word in words) for words in (old, new))
    return old == other_new and new == other_old and have_names


def statements_exchanged(repair: Repair) -> Literal["factor", "before", "function"] | None:
    """Classifies two swapped statements, one of which adds: another factor, or a function before or after."""
    texts = [((edit.before or "").strip(), (edit.after or "").strip()) for edit in repair.edits]
    if len(texts) != 2 or texts[0] != texts[1][::-1]:
        return None
    adding = [_ADDING.search(after) is not None for _, after in texts]
    if sum(adding) != 1:
        return None
    other = texts[adding.index(False)][1]
    if _SCALING.search(other):
        return "factor"
    return ("before" if adding[0] else "function") if _CALL.search(other) else None


def is_summand_moved(repair: Repair) -> bool:
    """Whether an addend after a function, or a choice, moves to an earlier line."""
    if len(repair.edits) != 2:
        return False
    (old, new), (other_old, other_new) = (_apart_bare(edit) for edit in repair.edits)
    is_nothing = not old or (len(old) <= 2 and old[-1] in ("0.0", "0", "0.", "0.0f"))
    behind = repair.edits[1].after or ""
    is_moved = (
        is_nothing and not other_new and bool(new) and [*filter("+".__ne__, new)] == [*filter("+".__ne__, other_old)]
    )
    return is_moved and ("?" in behind or _CALL.search(behind) is not None)


def started(edit: LineEdit) -> str | None:
    """Returns the variable that an edit initialises with a named value instead of zero."""
    before, after = (_BEGINNING.search(text or "") for text in (edit.before, edit.after))
    if before is None or after is None or before[1] != after[1] or not _NOTHING.fullmatch(before[2]):
        return None
    has_a_name = any(word[0].isalpha() and not word.startswith("vec") for word in WORD.findall(after[2]))
    return before[1] if has_a_name else None


def takes_a_function_away(repair: Repair) -> bool:
    """Whether a repair removes a nonlinear operation: a call, a choice, or an operator of two numbers.

    Another nonlinear operation in its place is another function.
    """
    pairs = [(edit.before or "", edit.after or "") for edit in repair.edits]
    return any(_BENDING & _fewer(*pair) and not _BENDING & _fewer(*reversed(pair)) for pair in pairs)


def written(edit: LineEdit) -> float | None:
    """Returns the number that an edit writes in place of another one, if it does nothing else."""
    before, after = (with_signs(WORD.findall(text or "")) for text in (edit.before, edit.after))
    old, new = apart(before, after)
    return value_of(new[0]) if len(old) == len(new) == 1 and are_numbers(*old, *new) else None


def is_half(edit: LineEdit) -> bool:
    """Whether an edit only adds or removes halves; rounding is no texel position."""
    before, after = (WORD.findall(text or "") for text in (edit.before, edit.after))
    rounded = [[call for call in calls_of(words) if call[0] in _ROUNDING] for words in (before, after)]
    return rounded[0] == rounded[1] and _are_halves(*apart(before, after))


def puts_in(edit: LineEdit) -> bool:
    """Whether an edit adds something named, and removes nothing but a number."""
    before, after = (WORD.findall(text or "") for text in (edit.before, edit.after))
    more, less = Counter(after) - Counter(before), Counter(before) - Counter(after)
    has_names, loses_names = (any(each[0].isalpha() or each[0] == "_" for each in some) for some in (more, less))
    return has_names and not loses_names and "*" not in (*more, *less)


def takes_off(edit: LineEdit) -> bool:
    """Whether an edit subtracts one thing more."""
    old, new = _apart_bare(edit)
    return not old and new[:1] == ["-"]


def multiplies(edit: LineEdit) -> bool:
    """Whether an edit only multiplies or divides by one thing more."""
    before, after = (bare_words(WORD.findall(text or "")) for text in (edit.before, edit.after))
    head, tail = common_ends(before, after)
    new = after[head : len(after) - tail]
    return head + tail == len(before) and len(new) > 1 and (new[0] in "*/" or new[-1] == "*")


def is_of_numbers(edit: LineEdit) -> bool:
    """Whether an edit inserts nothing named."""
    more = Counter(WORD.findall(edit.after or "")) - Counter(WORD.findall(edit.before or ""))
    return not any(each[0].isalpha() or each[0] == "_" for each in more)


def holds(edit: LineEdit) -> bool:
    """Whether an edit clamps a value to a bound."""
    more = Counter(WORD.findall(edit.after or "")) - Counter(WORD.findall(edit.before or ""))
    return not {"min", "max", "clamp"}.isdisjoint(more)


def asks_for_steps(edit: LineEdit) -> bool:
    """Whether an edit only adds the condition that a quotient is an integer, to exclude values between two steps."""
    words = [Counter(WORD.findall(text or "")) for text in (edit.before, edit.after)]
    more = words[1] - words[0]
    return not words[0] - words[1] and bool(_WHOLE & {*more}) and bool(_ASKING & {*more})


def is_of_lanes(edit: LineEdit) -> bool:
    """Whether an edit only selects other lanes of vectors."""
    words = [Counter(WORD.findall(text or "")) for text in (edit.before, edit.after)]
    changed = {*(words[0] - words[1]), *(words[1] - words[0])}
    lanes = changed - {*",.()"}
    is_cut = not words[1] - words[0] and bool(lanes & FIRST_LANES)
    return bool(lanes) and not is_cut and all(_SWIZZLE.fullmatch(each) for each in lanes)


def _apart(edit: LineEdit) -> tuple[list[str], list[str]]:
    """Returns the words that an edit replaces, and their replacements."""
    return apart(WORD.findall(edit.before or ""), WORD.findall(edit.after or ""))


def _apart_bare(edit: LineEdit) -> tuple[list[str], list[str]]:
    """Returns the same as `_apart`, without punctuation."""
    before, after = (bare_words(WORD.findall(text or "")) for text in (edit.before, edit.after))
    return apart(before, after)


def _fewer(before: str, after: str) -> set[str]:
    """Returns words that occur less often in the other text; calls count as words of another kind."""
    texts = [Counter(WORD.findall(text)) for text in (before, after)]
    calls = [Counter({"call": len(_CALL.findall(text))}) for text in (before, after)]
    return {*((texts[0] + calls[0]) - (texts[1] + calls[1]))}


def _are_halves(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether a half is added or removed, or several, as for a texel's centre."""
    if len(old) == len(new) == 1 and are_numbers(*old, *new):
        return abs(value_of(old[0]) - value_of(new[0])) == 0.5
    counts = Counter(old), Counter(new)
    moved = [*(counts[0] - counts[1]).elements(), *(counts[1] - counts[0]).elements()]
    numbers = [each for each in moved if are_numbers(each)]
    return (
        bool(numbers) and all(value_of(each) == 0.5 for each in numbers) and {*moved} - {*numbers} <= _SIGNS | {"vec2"}
    )


def value_of(number: str) -> float:
    """Returns the value of a number in a text."""
    return float(number.rstrip("fF"))


def are_numbers(*texts: str) -> bool:
    """Whether all texts are numbers."""
    return all(_NUMBER.fullmatch(each) for each in texts)


def keeps_more(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether a variable is assigned where it should be combined with its old value: x = y for x = max(x, y)."""
    less, more = Counter(before) - Counter(after), Counter(after) - Counter(before)
    is_given = not less and list(before[1:2]) == ["="]
    return is_given and any(more == Counter([before[0], of, *"(,)"]) for of in ("max", "min"))


def done_to_lanes(before: Sequence[str], after: Sequence[str]) -> Literal["summand", "factor"] | None:
    """Classifies an operation on more lanes of a vector, or on fewer: v.y -= a for v.yz -= a; else None."""
    (name, lanes, rest), (other, more, others) = (_target(words) for words in (before, after))
    if name != other or len(lanes) == len(more) or rest != others or rest[1:2] != ["="]:
        return None
    return "summand" if rest[0] in "+-" else "factor" if rest[0] in "*/" else None


def _target(words: Sequence[str]) -> tuple[str, str, list[str]]:
    """Returns the variable at the beginning of a text, its lanes, and the rest."""
    has_lanes = words[1:2] == ["."] and len(words) > 2 and _SWIZZLE.fullmatch(words[2]) is not None
    return (words or [""])[0], words[2] if has_lanes else "", [*words[3 if has_lanes else 1 :]]
