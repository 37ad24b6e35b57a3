"""What an edit does by its words alone: what it exchanges, puts in or takes away, and the number that it writes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from pipeline.compare.common_ends import apart, common_ends
from pipeline.compare.repairs import LineEdit, Repair
from pipeline.glsl.syntax import WORD
from pipeline.repair.said.otherwise import calls_of, with_signs
from pipeline.repair.said.products import bare_words

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?[fF]?")
_SWIZZLE = re.compile(r"[xyzw]{1,4}|[rgba]{1,4}|[stpq]{1,4}")
_CALL = re.compile(r"[A-Za-z_]\w*\s*\(")
# What bends a value where it stands: a call, a choice, a product with itself.
_BENDING = frozenset({"call", "?", "*", "/"})
_SIGNS = frozenset("+-()")
_WHOLE, _ASKING = frozenset({"fract", "mod", "floor", "%"}), frozenset({"|", "&", "!", "<", ">", "||", "&&"})
_ROUNDING = frozenset({"floor", "ceil", "round", "trunc"})
# Not all lanes of a vector.
FIRST_LANES = frozenset({"x", "xy", "xyz", "r", "rg", "rgb"})


def are_exchanged(repair: Repair) -> bool:
    """Whether two lines of a repair change places, or a part of them does that has a name."""
    if len(repair.edits) != 2 or any(edit.before is None or edit.after is None for edit in repair.edits):
        return False
    (old, new), (other_old, other_new) = (_apart(edit) for edit in repair.edits)
    names = [word for word in (*old, *new) if word[0].isalpha() or word[0] == "_"]
    return bool(old) and bool(new) and old == other_new and new == other_old and bool(names)


def takes_a_function_away(repair: Repair) -> bool:
    """Whether a repair leaves out what may bend a value: a call, a choice, or an operator that takes two numbers.

    What bends it otherwise in that place is another function.
    """
    pairs = [(edit.before or "", edit.after or "") for edit in repair.edits]
    return any(_BENDING & _fewer(*pair) and not _BENDING & _fewer(*reversed(pair)) for pair in pairs)


def written(edit: LineEdit) -> float | None:
    """The number that an edit writes in place of another one, if that is all that it does."""
    before, after = (with_signs(WORD.findall(text or "")) for text in (edit.before, edit.after))
    old, new = apart(before, after)
    return value_of(new[0]) if len(old) == len(new) == 1 and are_numbers(*old, *new) else None


def is_half(edit: LineEdit) -> bool:
    """Whether all that an edit does is to add halves, or to take them away; what is rounded is no place of a texel."""
    before, after = (WORD.findall(text or "") for text in (edit.before, edit.after))
    rounded = [[call for call in calls_of(words) if call[0] in _ROUNDING] for words in (before, after)]
    return rounded[0] == rounded[1] and _are_halves(*apart(before, after))


def puts_in(edit: LineEdit) -> bool:
    """Whether an edit adds something that is called by a name, and takes nothing away but a number."""
    before, after = (WORD.findall(text or "") for text in (edit.before, edit.after))
    more, less = Counter(after) - Counter(before), Counter(before) - Counter(after)
    has_names, loses_names = (any(each[0].isalpha() or each[0] == "_" for each in some) for some in (more, less))
    return has_names and not loses_names and "*" not in (*more, *less)


def multiplies(edit: LineEdit) -> bool:
    """Whether all that an edit does is to multiply or to divide by something more."""
    before, after = (bare_words(WORD.findall(text or "")) for text in (edit.before, edit.after))
    head, tail = common_ends(before, after)
    new = after[head : len(after) - tail]
    return head + tail == len(before) and len(new) > 1 and (new[0] in "*/" or new[-1] == "*")


def holds(edit: LineEdit) -> bool:
    """Whether an edit holds something above or below a bound, as the nearest within."""
    more = Counter(WORD.findall(edit.after or "")) - Counter(WORD.findall(edit.before or ""))
    return not {"min", "max", "clamp"}.isdisjoint(more)


def asks_for_steps(edit: LineEdit) -> bool:
    """Whether an edit leaves out what lies between two steps: it asks whether a quotient is whole, and does no more."""
    words = [Counter(WORD.findall(text or "")) for text in (edit.before, edit.after)]
    more = words[1] - words[0]
    return not words[0] - words[1] and bool(_WHOLE & {*more}) and bool(_ASKING & {*more})


def is_of_lanes(edit: LineEdit) -> bool:
    """Whether an edit takes other lanes of vectors, and does nothing else."""
    words = [Counter(WORD.findall(text or "")) for text in (edit.before, edit.after)]
    changed = {*(words[0] - words[1]), *(words[1] - words[0])}
    lanes = changed - {*",.()"}
    is_cut = not words[1] - words[0] and bool(lanes & FIRST_LANES)
    return bool(lanes) and not is_cut and all(_SWIZZLE.fullmatch(each) for each in lanes)


def _apart(edit: LineEdit) -> tuple[list[str], list[str]]:
    """The words that an edit replaces, and those that it puts there."""
    return apart(WORD.findall(edit.before or ""), WORD.findall(edit.after or ""))


def _fewer(before: str, after: str) -> set[str]:
    """Words of a text that stand less often in the other one; a word of its own for what is called."""
    texts = [Counter(WORD.findall(text)) for text in (before, after)]
    calls = [Counter({"call": len(_CALL.findall(text))}) for text in (before, after)]
    return {*((texts[0] + calls[0]) - (texts[1] + calls[1]))}


def _are_halves(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether a half is added or taken away, or several are, as the centre of a texel is."""
    if len(old) == len(new) == 1 and are_numbers(*old, *new):
        return abs(value_of(old[0]) - value_of(new[0])) == 0.5
    counts = Counter(old), Counter(new)
    moved = [*(counts[0] - counts[1]).elements(), *(counts[1] - counts[0]).elements()]
    numbers = [each for each in moved if are_numbers(each)]
    return (
        bool(numbers) and all(value_of(each) == 0.5 for each in numbers) and {*moved} - {*numbers} <= _SIGNS | {"vec2"}
    )


def value_of(number: str) -> float:
    """The value of a number in a text."""
    return float(number.rstrip("fF"))


def are_numbers(*texts: str) -> bool:
    """Whether all texts are numbers."""
    return all(_NUMBER.fullmatch(each) for each in texts)
