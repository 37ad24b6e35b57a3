"""Classifies a repair: another element is read, a value is used in another way, or another number is written.

The pass's operators distinguish numbers: the count of a mean, an epsilon that keeps a division from zero.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from texelscope.layouts import all_layouts
from texelscope.pipeline.compare.repairs import LineEdit, Repair, apart, common_ends
from texelscope.pipeline.glsl.lines import line_map
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse
from texelscope.pipeline.glsl.semantics.questions import WORD
from texelscope.pipeline.glsl.semantics.statement_macros import statement_macros_of
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.pipeline_file.expressions import FUNCTIONS
from texelscope.pipeline.plan import ProgramSource
from texelscope.pipeline.repair.classify.edit_words import (
    FIRST_LANES,
    are_numbers,
    done_to_lanes,
    is_half,
    keeps_more,
    value_of,
)
from texelscope.pipeline.repair.classify.otherwise import (
    calls_of,
    has_another_root,
    otherwise,
    otherwise_put,
    with_signs,
)
from texelscope.pipeline.repair.classify.single_fault import ROOTS, SMALL, RepairedText
from texelscope.pipeline.repair.text.mutation import EXPRESSIONS
from texelscope.pipeline.repair.text.patch import applied

Meaning = Literal[
    "element", "tensor", "partner", "function", "number", "applied", "taken away", "before", "count", "epsilon",
    "half texel", "lanes", "left out", "set", "more turns", "fewer turns", "setting", "filter", "wrap", "order",
    "layout", "size", "half", "bytes", "turned", "factor", "sign", "summand", "capped", "reset", "guard",
    "across", "steps", "set in the file",
]  # fmt: skip
# More general classes: repairs with either class agree.
_KINDS: Mapping[Meaning, Meaning] = {
    "half texel": "element",
    "across": "element",
    "size": "element",
    "count": "number",
    "epsilon": "number",
}
# Functions of a value that are confused with one another.
_OF_VALUES = frozenset(
    {
        "min", "max", "abs", "exp", "exp2", "log", "log2", "sqrt", "inversesqrt", "sin", "cos", "tan", "tanh", "sinh",
        "atan", "floor", "ceil", "round", "roundEven", "trunc", "fract", "sign", "lessThan", "lessThanEqual",
        "greaterThan", "greaterThanEqual",
    }
)  # fmt: skip
# Lines of the pipeline file that bind tensors.
_BINDINGS = re.compile(r"\s*(textures|buffers|images)\b")
# Settings of a binding or of storage, by their words.
_WAYS: tuple[tuple[frozenset[str], Meaning], ...] = (
    (frozenset({"float16"}), "half"),
    (frozenset({"uint8"}), "bytes"),
    (frozenset({"linear", "nearest"}), "filter"),
    (frozenset({"repeat", "clamp_to_edge"}), "wrap"),
    (frozenset({"order"}), "order"),
)
# A value in the table of a pass, and such a table in a line of its own.
_NEW_SETTING = re.compile(
    r"""\s*(?!defines\b|specialization\b)(?:(?:uniforms|push)\s*\.\s*)?["\w.\[\]-]+\s*=\s*["\[\d.+-tf]"""
)
_SPECIALIZED = re.compile(r"\s*specialization\s*\.")
_SETTINGS = re.compile(r"\s*(?:uniforms|push)\s*=\s*\{")
# A size of a tensor, in a uniform.
_SIZE = re.compile(rf"uniforms\b.*\b({'|'.join(FUNCTIONS)})\(")
# One less than one less something.
_REST = re.compile(r"\(1\.0 - \(1\.0 - ([\w.]+)\)\)")
# Signs between the numbers of a row.
_BETWEEN = frozenset("+-,")
# A macro in one line: the part before its body, and the body.
_MACRO = re.compile(rb"([ \t]*#[ \t]*define[ \t]+\w+(?:\([^)\n]*\))?[ \t])([^\n\\]+)$", re.MULTILINE)
# Punctuation that may change without changing the meaning.
_PUNCTUATION = frozenset("()")
_MEANS = frozenset({"ReduceMean", "AveragePool", "GlobalAveragePool", "Mean", "LayerNormalization",
                    "InstanceNormalization", "GroupNormalization", "RMSNormalization", "ReduceSumSquare",
                    "LRN"})  # fmt: skip


def meaning(
    program: ProgramSource, repairs: Sequence[Repair], operators: frozenset[str] = frozenset()
) -> Meaning | None:
    """Returns the class of the shortest repair of `program`, unless another one disagrees; None without a class.

    Element: an index, an address or a lane differs; half texel: an address is off by that. Tensor: another sampler
    is read, or another tensor bound. Partner: a value of another name. Function: another function of a value is
    called; applied, taken away, or before: it is missing, superfluous, or before an addition. Number: a written
    number of a computation; count: that of a mean, where `operators` of the pass have one; epsilon: one that keeps
    a division from zero, or its place. Lanes: some of a vector are not used; left out: a read value is not used;
    set: a sum is assigned instead of added to. Turns: a loop runs more or less often. Setting: an integer of the
    pipeline file; filter, wrap, order and layout: of a binding there; size: a uniform has the size of something
    else; set in the file: the file has a uniform more; half or bytes: the format of storage.
    """
    found = [[_meaning(program, edit, repair, operators) for edit in repair.edits] for repair in repairs]
    known = [each for some in found for each in some if each is not None]
    is_alike = len({_KINDS.get(each, each) for each in known}) == 1
    return known[0] if is_alike and any(each is not None for each in found[0]) else None


def meanings(
    program: ProgramSource, repair: Repair, operators: frozenset[str] = frozenset()
) -> tuple[tuple[LineEdit, Meaning | None], ...]:
    """Returns each edit of one repair with its class, or None."""
    return tuple((edit, _meaning(program, edit, repair, operators)) for edit in repair.edits)


def done_otherwise(program: ProgramSource, edit: LineEdit, operators: frozenset[str] = frozenset()) -> Meaning | None:
    """Returns the class of an edit that leaves the reads as they are, by more than single words, or None.

    Turned: a matrix is on the other side of a vector; factor or summand: a value gets one that is the same for all
    elements. Others as in `meaning`.
    """
    if edit.before is None or edit.after is None or edit.file not in {file.path for file in program.files}:
        return None
    before, after = (with_signs(WORD.findall(_REST.sub(r"\1", text))) for text in (edit.before, edit.after))
    head, _ = common_ends(before, after)
    old, new = apart(before, after)
    found = _changed(program, edit, Repair((edit,), "", 0, 0))
    if not found:
        return otherwise_put(before, after)
    of_a_mean, mended = bool(operators & _MEANS), RepairedText(found[0])
    put_in = Counter(after) - Counter(before)
    node = next((each for each in found[1:] if each.text in put_in), found[1])
    if len(old) == len(new) == 1 and are_numbers(old[0], new[0]):
        is_listed = {*before[head - 1 : head], *before[head + 1 : head + 2]} <= {*"(,)"}
        is_turned = value_of(old[0]) == -value_of(new[0])
        if is_turned and not is_listed and mended.is_bent(node):
            return "function"
        return mended.number(node, (old[0], new[0]), of_a_mean=of_a_mean) if is_listed or not is_turned else None
    if _is_around(before, after, mended.functions):
        return "applied"
    if _is_around(after, before, mended.functions):
        return "taken away"
    return otherwise(before, after, (old, new), mended, node, of_a_mean=of_a_mean)


def is_the_largest_of(program: ProgramSource, name: str) -> bool:
    """Whether a variable holds a running maximum or minimum."""
    nothing = r"(?!\s*(?:vec\d\(\s*)?[-\d.])"  # with a constant it would be an activation
    kept = rf"{name}\s*,{nothing}|{nothing}[^;]*,\s*{name}\s*\)"
    return re.search(rf"\b{name}\s*=\s*(?:max|min)\s*\(\s*(?:{kept})", program.fragment) is not None


def _columns(before: str, after: str) -> list[int]:
    """Returns the columns of a line's new words."""
    old, new = WORD.findall(before), WORD.findall(after)
    head, tail = common_ends(old, new)
    places = [each.start() for each in WORD.finditer(after)]
    changed = places[head : len(new) - tail]
    if len(old) == len(new):  # a word between two others is unchanged
        changed = [at for at, word, other in zip(places, old, new, strict=True) if word != other]
    words = [at for at in changed if after[at].isalnum() or after[at] in "_."]
    return words or changed


def _meaning(program: ProgramSource, edit: LineEdit, repair: Repair, operators: frozenset[str]) -> Meaning | None:
    is_of_the_file = edit.file not in {file.path for file in program.files}
    if edit.before is None or edit.after is None:
        return _of_a_new_line(edit.after) if is_of_the_file and edit.after is not None else None
    before, after = WORD.findall(edit.before), WORD.findall(edit.after)
    old, new = apart(before, after)
    if is_of_the_file:  # in the pipeline file an integer may be an index
        return _of_the_file(edit.before, old, new)
    if (gathered := _of_gathering(before, after)) is not None:
        return gathered
    found = _changed(program, edit, repair)
    if not found:
        return None
    mended, node = RepairedText(found[0]), found[1]
    others = [pair for pair in zip(old, new, strict=False) if pair[0] != pair[1]] if len(old) == len(new) else []
    if others and all(mended.are_samplers(*pair) for pair in others):
        return "tensor"
    if part := mended.loop_part(node):
        return _of_turns(part, (old, new), is_longer=mended.is_longer_with_more(node, part))
    if len(others) > 1 and all(mended.are_turns(node, *pair) for pair in others):
        return "across"
    if mended.is_of_numbers(found[-1]):
        return "number"
    if all(mended.is_of_an_element(each) for each in found[1:]):
        return "half texel" if is_half(edit) else "element"
    if (said := _of_calls(before, after)) is not None:
        return said
    return _of_words(mended, node, (old, new), others, operators)


def _of_gathering(before: Sequence[str], after: Sequence[str]) -> Meaning | None:
    """Whether an assignment becomes an addition, keeps more, or changes more lanes."""
    head, _ = common_ends(before, after)
    old, new = apart(before, after)
    if not old and new == ["+"] and after[head + 1 : head + 2] == ["="] != after[head + 2 : head + 3]:
        return "set"
    return "left out" if keeps_more(before, after) else done_to_lanes(before, after)


def _of_words(
    mended: RepairedText,
    node: SyntaxNode,
    texts: tuple[Sequence[str], Sequence[str]],
    others: Sequence[tuple[str, str]],
    operators: frozenset[str],
) -> Meaning | None:
    """Classifies a single replaced word, a row of numbers, or two exchanged words (`others`)."""
    old, new = texts
    if len(others) > 1 and all(mended.are_values(node, *pair) for pair in others):
        return "element" if mended.is_of_a_choice(node) else "partner"
    if len(old) != 1 or len(new) != 1:
        return "number" if _is_a_row(old) and _is_a_row(new) else None
    if {*old, *new} <= _OF_VALUES:
        return "function"
    if are_numbers(*old, *new):
        return mended.number(node, (old[0], new[0]), of_a_mean=bool(operators & _MEANS))
    if not mended.are_values(node, *old, *new):
        return None
    return "left out" if mended.is_a_read_unused_before(node, old[0], new[0]) else "partner"


def _of_turns(part: str, texts: tuple[Sequence[str], Sequence[str]], *, is_longer: bool) -> Meaning | None:
    """Whether the repaired loop runs more often or less; None if unclear.

    `is_longer` says whether a larger number there makes it run more often.
    """
    old, new = texts
    if part == "condition" and sorted((*old, *new)) == ["="]:  # < becomes <=
        return "more turns" if new else "fewer turns"
    if len(old) == len(new) == 1 and are_numbers(*old, *new):
        is_more = value_of(new[0]) > value_of(old[0])
        return "more turns" if is_more == is_longer else "fewer turns"
    return None


def _of_a_new_line(line: str) -> Meaning | None:
    """Classifies a line more of the pipeline file: a uniform that is set, or a constant that is specialized."""
    if _NEW_SETTING.match(line):
        return "set in the file"
    return "setting" if _SPECIALIZED.match(line) else None


def _of_the_file(before: str, old: Sequence[str], new: Sequence[str]) -> Meaning | None:
    """Classifies a line of the pipeline file by its binding or number: an integer may be an index, size or step."""
    changed = {*old, *new}
    if not {*old} - {"}"} and "=" in new and _SETTINGS.match(before):
        return "set in the file"
    if way := next((way for words, way in _WAYS if words & changed), None):
        return way
    if changed <= {*all_layouts()} and old:
        return "layout"
    if _BINDINGS.match(before):
        return "tensor"
    if len(old) == len(new) == 1 and are_numbers(old[0], new[0]):
        return "number" if "." in old[0] + new[0] else "setting"
    return "size" if _SIZE.search(before) else None


def _is_a_row(texts: Sequence[str]) -> bool:
    """Whether a text is a row of numbers, which are not indices."""
    numbers = [each for each in texts if each not in _BETWEEN]
    return len(numbers) > 1 and are_numbers(*numbers) and all("." in each for each in numbers)


def _lanes_cut(before: Sequence[str], after: Sequence[str]) -> int | None:
    """Returns how many lanes the same operation had before, of the longest vector; None for other edits.

    One lane stands for all others.
    """
    place, cut = 0, 0
    for text in after:
        while text != "." and list(before[place : place + 1]) == ["."]:
            if before[place + 1 : place + 2] and before[place + 1] not in FIRST_LANES:
                return None
            cut = max(cut, len(before[place + 1]))
            place += 2
        if list(before[place : place + 1]) != [text]:
            return None
        place += 1
    return cut if cut and place == len(before) else None


def _of_calls(before: Sequence[str], after: Sequence[str]) -> Meaning | None:
    """Classifies a function that is added around a value, or removed; an epsilon moved under a root; more lanes."""
    if (cut := _lanes_cut(before, after)) is not None:
        return "partner" if cut == 1 else "lanes"
    if _is_summed_again(before, after):
        return "left out"
    if _is_around(before, after):
        return "applied"
    if _is_around(after, before):
        return "taken away"
    under = [sorted(inner for name, inner in calls_of(words) if name in ROOTS) for words in (before, after)]
    is_rooted = bool(under[1]) and under[0] != under[1]
    has_small = any(are_numbers(each) and 0.0 < abs(value_of(each)) <= SMALL for each in after)
    parts = [[each for each in texts if each not in _PUNCTUATION] for texts in (before, after)]
    if list(before) == list(after) or sorted(parts[0]) != sorted(parts[1]):
        return None
    words = [[each for each in texts if each[0].isalpha() or each[0] == "_"] for texts in parts]
    if (is_rooted and has_small and words[0] == words[1]) or has_another_root(before, after):
        return "epsilon"
    return "before" if _is_moved_in(before, after) else None


def _is_summed_again(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether one summand was repeated in place of another one: a + b + b for a + b + c."""
    terms = [Counter(" ".join(texts).strip(" ;").rpartition("= ")[2].split(" + ")) for texts in (before, after)]
    twice, new = terms[0] - terms[1], terms[1] - terms[0]
    return twice.total() == new.total() == 1 and terms[0][next(iter(twice))] > 1 and terms[1][next(iter(new))] == 1


def _is_moved_in(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether an addend after a function's call moves into it: f(a) + b becomes f(a + b)."""
    head, ending = common_ends(before, after)
    opened = [at for at, text in enumerate(after[:head]) if text == "("]
    if not any(at > 0 and (after[at - 1][0].isalpha() or after[at - 1][0] == "_") for at in opened):
        return False
    for tail in range(ending, max(ending - 2, -1), -1):  # a parenthesis may end both
        old, new = list(before[head : len(before) - tail]), list(after[head : len(after) - tail])
        for cut in range(1, len(old)):
            added, rest = old[cut:], old[:cut]
            is_added = added[0] in "+-" and ")" in rest
            if is_added and new in (added + rest, [")", *added, *rest[:-1], ")"]):
                return True
    return False


def _is_around(inner: Sequence[str], outer: Sequence[str], functions: frozenset[str] = _OF_VALUES) -> bool:
    """Whether `outer` is `inner` with one of the functions of a value around a part, and numbers after it."""
    more = len(outer) - len(inner)
    start = next((i for i, (a, b) in enumerate(zip(inner, outer, strict=False)) if a != b), len(inner))
    if more < 3 or start + 1 >= len(outer) or outer[start] not in functions or outer[start + 1] != "(":
        return False
    rest, bare = list(outer[start + 2 :]), list(inner[start:])
    for stop in range(len(bare) + 1):
        ending = rest[stop : stop + more - 2]
        is_alike = rest[:stop] == bare[:stop] and rest[stop + more - 2 :] == bare[stop:] and stop
        if is_alike and ending[-1:] == [")"] and (len(ending) == 1 or (ending[0] == "," and _are_bounds(ending))):
            return True
    return False


def _are_bounds(texts: Sequence[str]) -> bool:
    """Whether words are numbers, or vectors of them."""
    return all(each in "(),-" or each.startswith("vec") or are_numbers(each) for each in texts)


def _changed(program: ProgramSource, edit: LineEdit, repair: Repair) -> list[SyntaxNode]:
    """Returns the root of the repaired text, and its smallest expressions with other words; all or nothing.

    If words are only removed, these are in the unchanged text.
    """
    line, columns = edit.after or "", _columns(edit.before or "", edit.after or "")
    text = applied(program, repair.edits).fragment
    if not columns:
        line, columns, text = edit.before or "", _columns(edit.after or "", edit.before or ""), program.fragment
    if "\n" in line:
        return []
    lines = text.split("\n")
    places = zip(line_map(program), lines, strict=True)
    number = next((i for i, (at, now) in enumerate(places) if at == (edit.file, edit.line) and now == line), None)
    if number is None or not columns:
        return []
    start = sum(len(each.encode()) + 1 for each in lines[:number])
    root = _parsed(text.encode(), start)
    found = [root]
    for column in columns:
        place = start + len(line[:column].encode())
        node: SyntaxNode | None = root.tree.descendant(place, place + 1)
        while node is not None and not isinstance(node, EXPRESSIONS):
            node = node.parent
        if node is None:
            return []
        found.append(node)
    return found


def _parsed(text: bytes, start: int) -> SyntaxNode:
    """Parses a text; if the line at byte `start` defines a macro, it is parsed as a function's body."""
    shown = statement_macros_of(text).text
    macro = _MACRO.match(shown, start)
    if macro is not None:
        head = b"void _(){".rjust(len(macro[1]))
        root = parse(constructors_as_calls(shown[:start] + head + macro[2] + b";}" + shown[macro.end() :]))
        if not root.tree.descendant(start + len(macro[1]) - 1, start + len(macro[0])).has_error:
            return root
    return parse(constructors_as_calls(shown))
