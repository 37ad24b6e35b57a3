"""Translates HLSL and Slang by Slang's own compiler.

Of the precisions that HLSL leaves to the device (`half`, `min16float`) the device's is 32 bits here, as on most.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from texelscope.pipeline.errors import nearest
from texelscope.pipeline.front_ends.request import TranslationRequest
from texelscope.pipeline.front_ends.rows import Place, Row, rows_of, with_directives
from texelscope.pipeline.front_ends.slang_library import SlangAnswer, SlangRequest, compile_ahead, compiled
from texelscope.pipeline.front_ends.slang_samplers import SampledWith, with_own_samplers
from texelscope.pipeline.front_ends.slang_text import UnknownExtension, for_opengl
from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.glsl.old_words import Stage
from texelscope.pipeline.glsl.source_text import without_comments

_SIZES = ("", "1", "2", "3", "4", *(f"{rows}x{columns}" for rows in "234" for columns in "234"))
_LEFT_TO_THE_DEVICE = {
    f"{name}{size}": f"{plain}{size}"
    for name, plain in (
        ("half", "float"), ("min16float", "float"), ("min10float", "float"),
        ("min16int", "int"), ("min12int", "int"), ("min16uint", "uint"),
    )
    for size in _SIZES
}  # fmt: skip
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b", re.MULTILINE)
_ERROR = re.compile(
    r"^(?:fatal )?error(?:\[\w+\])?: (?P<title>[^\n]*)\n(?:[^\n]*\n)*?[ ]*-+>? shader:(?P<line>[0-9]{1,9}):[0-9]+\n"
    r"(?:[^\n]*\n){0,2}[ ]*\|[ ]*\^+ ?(?P<message>[^\n]*)",
    re.MULTILINE,
)
# A block of uniforms with its first member; global variables are in one together.
_CONSTANTS = re.compile(r"layout\(std140\) uniform (?P<name>\w+) \{ \w+[ \t]+(?P<member>\w+)")
_GLOBALS = "globalParams_block"
# A variable with its first value, in a function.
_FIRST_VALUE = re.compile(r"[ \t]+\w+[ \t]+(?P<name>\w+) = .+;$")
_ASKED = re.compile(r"expected (?P<expected>.+), got (?P<got>.+)|unexpected (?P<unexpected>.+), expected (?P<other>.+)")
_CORRECT = "Correct the line, or the one before it."
_ANY_ERROR = re.compile(r"\berror(?:\[\w+\])?: (?P<title>[^\n]*)")
# In HLSL a loop's variable lives on behind the loop; a second loop with one of that name is common all the same, and
# Slang's own rule takes it as other compilers do.
_TWO_LOOPS = "ambiguous reference to"
# By that rule a name may also mean a loop's variable that begins only behind it. Slang then reads a variable that
# nothing was assigned to, which it declares outside of all functions.
_NEVER_SET = re.compile(r"^[iu]?(?:bool|u?int|float|[iub]?vec[234]|mat[234](?:x[234])?)[ \t]+\w+;$", re.MULTILINE)
_NO_CONSTANT = re.compile(r"initializer of static const global '(?P<name>\w+)' does not evaluate")
# Of several such names Slang may say one at a time.
_MOST_TRIES = 8
_IN_MEMORY = re.compile(r":\s*packoffset\s*\([^()]*\)|\b(?:row_major|column_major)\b")
_STRUCTURE = re.compile(r"\bstruct\s+(?P<name>\w+)[^{};]*\{(?P<members>[^{}]*)\}")
_BUFFER_OF = re.compile(r"\b(?:RW|RasterizerOrdered)?StructuredBuffer\s*<\s*(?P<type>[\w ]+?)\s*>")
_NAME = r"(?P<name>[A-Za-z_]\w*)"
# An entry point says what it is: the size of its work groups, or what it returns.
_COMPUTE = re.compile(rf"\[[ \t]*numthreads[ \t]*\([^()]*\)[ \t]*\]\s*(?:\[[^\[\]]*\]\s*)*\w+\s+{_NAME}\s*\(")
_FRAGMENT = re.compile(
    rf"\b{_NAME}\s*\((?:(?:[^(){{}};]|\([^()]*\))*\)\s*:\s*(?:SV_Target|COLOR)[0-9]?\b"
    r"|[^(){};]*\bout\s+\w+\s+\w+\s*:\s*SV_Target[0-9]?\b)",
    re.IGNORECASE,
)
_MARKED = re.compile(
    rf"\[[ \t]*shader[ \t]*\([ \t]*\"(?P<stage>\w+)\"[ \t]*\)[ \t]*\]\s*(?:\[[^\[\]]*\]\s*)*\w+\s+{_NAME}\s*\("
)
_MARKS: Mapping[str, Stage] = {"compute": "compute", "pixel": "fragment", "fragment": "fragment", "vertex": "vertex"}


def entry_points(text: str, stage: Stage) -> list[str]:
    """Returns the functions of a text that say that they are entry points of a stage, in order."""
    bare = without_comments(text)
    found = [(match.start(), match["name"]) for match in _MARKED.finditer(bare) if _MARKS.get(match["stage"]) == stage]
    marked = {match["name"] for match in _MARKED.finditer(bare)}
    pattern = {"compute": _COMPUTE, "fragment": _FRAGMENT}.get(stage)
    if pattern is not None:
        found += [(match.start(), match["name"]) for match in pattern.finditer(bare) if match["name"] not in marked]
    return [name for _, name in sorted(found)]


@dataclass(frozen=True)
class SampledTranslation:
    """GLSL for OpenGL, and by the name of a `sampler2D` the texture that it shows, and how it is read."""

    text: str
    sampled: Mapping[str, SampledWith]


def translated(request: TranslationRequest, language: str) -> str:
    """Returns GLSL for OpenGL; its `#line`s say where. Every texture has one sampler.

    Raises AuthorTextError with the row of the text, and TexelscopeError where the compiler is missing.
    """
    rows = rows_of(request.text)
    entry, answer = _answer(request, language, rows)
    return _for_opengl([_placed(row, rows) for row in rows_of(answer.text)], request, entry, rows)


def translated_with_samplers(request: TranslationRequest) -> SampledTranslation:
    """Returns HLSL as GLSL in which a texture may have several samplers. Raises as `translated`."""
    rows = rows_of(request.text)
    entry, answer = _answer(request, "hlsl", rows)
    made = with_own_samplers([_placed(row, rows) for row in rows_of(answer.text)])
    return SampledTranslation(_for_opengl(made.rows, request, entry, rows), made.sampled)


def translate_ahead(requests: Sequence[TranslationRequest]) -> None:
    """Has Slang compile several HLSL texts at once, so that `translated_with_samplers` takes less time for each.

    What is wrong with one of them is told when it is asked for alone.
    """
    ready: list[SlangRequest] = []
    for each in requests:
        with contextlib.suppress(AuthorTextError):
            asked = _asked(each, "hlsl", rows_of(each.text))
            ready.append(
                SlangRequest(asked.source, "hlsl", asked.entry, each.stage, tuple(sorted(asked.defines.items())))
            )
    compile_ahead(ready)


@dataclass(frozen=True)
class _Asked:
    """What Slang is asked for: the text without `#line`s, its entry point and macros."""

    source: str
    entry: str
    defines: Mapping[str, str]


def _answer(request: TranslationRequest, language: str, rows: Sequence[Row]) -> tuple[str, SlangAnswer]:
    """Returns the entry point, and what Slang makes of the rows of a text. Raises as `translated`."""
    asked = _asked(request, language, rows)
    source, entry, defines, stage = asked.source, asked.entry, asked.defines, request.stage
    answer = compiled(source, language, entry, stage, defines)
    for _ in range(_MOST_TRIES):
        changed = _without_constants(source, answer.said) if not answer.text else source
        if changed == source:
            break
        source = changed
        answer = compiled(source, language, entry, stage, defines)
    if not answer.text and language == "hlsl" and _TWO_LOOPS in answer.said:
        answer = compiled(source, "slang", entry, stage, defines)
    elif language == "hlsl" and _NEVER_SET.search(answer.text) is not None:
        other = compiled(source, "slang", entry, stage, defines)
        answer = other if other.text else answer
    if not answer.text:
        raise _refused(answer.said, request.text, rows, language)
    return entry, answer


def _without_constants(source: str, said: str) -> str:
    """Returns a text in which what Slang cannot compute before the shader runs is no constant; lines and columns stay.

    HLSL lets a `static const` begin with the value of a uniform.
    """
    for name in dict.fromkeys(match["name"] for match in _NO_CONSTANT.finditer(said)):
        declared = re.compile(rf"\b(?:static\s+const|const\s+static)(?=\s+\w+\s+{name}\b)")
        source = declared.sub(lambda match: match[0].replace("const", " " * len("const")), source)
    return source


def _asked(request: TranslationRequest, language: str, rows: Sequence[Row]) -> _Asked:
    """Returns what Slang is asked for the rows of a text. Raises AuthorTextError for what cannot be asked."""
    source = _without_places("\n".join(row.text for row in rows))
    outside = _INCLUDE.search(without_comments(source.replace("\\\n", "")))
    if outside is not None:
        raise AuthorTextError(0, "every #include on one line", "one on several lines", "Write it in one.")
    entry = request.entry or _only_entry(source, request.stage)
    return _Asked(source, entry, {**(_LEFT_TO_THE_DEVICE if language == "hlsl" else {}), **request.defines})


def _for_opengl(made: Sequence[Row], request: TranslationRequest, entry: str, source: Sequence[Row]) -> str:
    """Returns rows of Slang's, with the author's places, as GLSL for OpenGL; `source` are those of the text."""
    rows = for_opengl(made, request.stage, request.bound)
    if isinstance(rows, UnknownExtension):
        raise AuthorTextError(
            _row_of_entry(request.text, entry), "a shader that OpenGL can run", rows.got, rows.do_next
        )
    return with_directives([_at_its_declaration(_at_its_members(row, source), source) for row in rows])


def _without_places(source: str) -> str:
    """Returns a text with blanks for what says where in memory something lies, which is set by its name here.

    Raises AuthorTextError where that matters: in a structure of a buffer.
    """
    bare = without_comments(source)
    in_rows = {match["name"] for match in _STRUCTURE.finditer(bare) if "row_major" in match["members"]}
    for match in _BUFFER_OF.finditer(bare):
        if match["type"] in in_rows or "row_major" in match["type"]:
            got, row = f"a buffer of row_major ones, '{match['type']}'", bare.count("\n", 0, match.start())
            raise AuthorTextError(row, "matrices by columns, as HLSL has them by default", got, "Transpose them.")
    parts, last = [], 0
    for match in _IN_MEMORY.finditer(bare):
        parts += [source[last : match.start()], re.sub(r"[^\n]", " ", match[0])]
        last = match.end()
    return "".join([*parts, source[last:]])


def _placed(row: Row, source: Sequence[Row]) -> Row:
    """Returns a row with the author's place: Slang's file 0 is the text as it was handed over."""
    place: Place | None = None
    if row.place is not None and row.place[0] == 0 and 0 < row.place[1] <= len(source):
        place = source[row.place[1] - 1].place
    return replace(row, place=place)


def _at_its_members(row: Row, source: Sequence[Row]) -> Row:
    """Returns a constant buffer's row at the line that declares its first member, which Slang does not always say."""
    block = _CONSTANTS.match(row.text)
    if block is None or (row.place is not None and block["name"] != _GLOBALS):
        return row
    declared = re.compile(rf"\b{block['member'].rstrip('_')}\b")
    return replace(row, place=next((each.place for each in source if declared.search(each.text)), row.place))


def _at_its_declaration(row: Row, source: Sequence[Row]) -> Row:
    """Returns the first value of a variable at the line that sets it, where Slang says that of the loop behind it."""
    first = _FIRST_VALUE.match(row.text)
    if first is None or row.place is None:
        return row
    here = next((number for number, each in enumerate(source) if each.place == row.place), -1)
    sets = re.compile(rf"\b{first['name']}\b[\w\s\[\]]*=(?!=)")
    for each in reversed(source[: here + 1]):
        if sets.search(each.text):
            return replace(row, place=each.place)
        if each.text[:1].isalpha() and "(" in each.text:  # the function's beginning
            break
    return row


def _only_entry(source: str, stage: Stage) -> str:
    found = entry_points(source, stage)
    if len(found) == 1:
        return found[0]
    if not found:
        expected, do_next = "an entry point: a function with [numthreads(…)]", 'Name it, as in entry = "main".'
        if stage == "fragment":
            expected = "an entry point: a function that returns SV_Target"
            if entry_points(source, "compute"):
                raise AuthorTextError(0, expected, "a compute shader", "Dispatch it: dispatch = [8, 8, 1].")
        raise AuthorTextError(0, expected, "none", do_next)
    names = ", ".join(found)
    raise AuthorTextError(0, "one entry point", f"{len(found)}: {names}", f'Choose one: entry = "{found[0]}".')


def _refused(said: str, text: str, rows: Sequence[Row], language: str) -> AuthorTextError:
    """Returns the compiler's first error, at the author's row."""
    match = _ERROR.search(said)
    if match is None:
        title = found["title"] if (found := _ANY_ERROR.search(said)) is not None else "nothing that is known"
        return AuthorTextError(0, f"{_called(language)} that Slang compiles", title, "Correct it.")
    line = int(match["line"])
    message = match["message"].strip() or match["title"]
    if "no function found matching entry point" in message:
        known = [name for each in ("compute", "fragment") for name in entry_points(text, each)]
        missing = message.rpartition(" ")[2].strip("'")
        return AuthorTextError(0, "an entry point of that name", f'entry = "{missing}"', nearest(missing, known))
    row = _row_of(text, rows[min(line, len(rows)) - 1])
    asked = _ASKED.fullmatch(message.rstrip("."))
    if asked is not None:
        return AuthorTextError(row, asked["expected"] or asked["other"], asked["got"] or asked["unexpected"], _CORRECT)
    return AuthorTextError(row, f"{_called(language)} that Slang compiles", message.rstrip("."), "Correct the line.")


def _called(language: str) -> str:
    return {"hlsl": "HLSL", "slang": "Slang"}[language]


def _row_of(text: str, row: Row) -> int:
    """Returns the 0-based row of the text with its `#line`s that a row without them was."""
    return next((number for number, each in enumerate(_with_rows(text)) if each is not None and each == row), 0)


def _with_rows(text: str) -> list[Row | None]:
    """Returns the row of each line of the text; None for a `#line`."""
    kept = iter(rows_of(text))
    is_directive = [line.lstrip().startswith("#line") for line in without_comments(text).split("\n")]
    return [None if each else next(kept) for each in is_directive]


def _row_of_entry(text: str, entry: str) -> int:
    match = re.search(rf"\b{re.escape(entry)}\s*\(", without_comments(text))
    return text.count("\n", 0, match.start()) if match is not None else 0
