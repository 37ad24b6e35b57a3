"""Finds the members of uniform blocks and of uniforms of structures, in a shader's text, without a driver.

OpenGL calls a member of a block by the block's name (`Params.gain`, for `uniform Params { float gain; } params;`), or
by its own alone where the block has no instance name; a member of a structure by the uniform's name (OpenGL 4.6,
7.3.1). Authors write the instance's name, so that both are known here.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from texelscope.pipeline.glsl.macros import without_inactive_branches
from texelscope.pipeline.glsl.resources import named_numbers, plain_number
from texelscope.pipeline.glsl.semantics.variables import DeclaredVariable, variables_in, words_in
from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.glsl.unused_macros import without_unused_macros
from texelscope.pipeline.pipeline_file.declarations import Uniform, element_count, uniforms_of

# Every repetition is limited, so that a text of nothing but beginnings is read in time linear in its length.
_BLOCK = re.compile(
    r"\buniform\s{1,99}+(?P<name>[A-Za-z_]\w{0,99}+)\s{0,99}+\{(?P<members>[^{}]{0,9999}+)\}\s{0,99}+"
    r"(?:(?P<instance>[A-Za-z_]\w{0,99}+)\s{0,99}+)?[^;{}()]{0,99}+;"
)
_STRUCT = re.compile(r"\bstruct\s{1,99}+(?P<name>[A-Za-z_]\w{0,99}+)\s{0,99}+\{(?P<members>[^{}]{0,9999}+)\}")
_WORD = re.compile(r"[A-Za-z_]\w*")
_MEMBER = re.compile(r"\.\s{0,9}([A-Za-z_]\w*)")
_DOTTED = re.compile(r"[\w-]+(?:\.[\w-]+)*")
# A name without a member or an element of it behind.
_WHOLE = re.compile(r"\b([A-Za-z_]\w*)\b(?!\s{0,9}[.\[])")
# Members of one shader that a file can set; structures of structures in arrays grow quickly.
_MOST_MEMBERS = 4096
_DEEPEST = 8


@lru_cache(maxsize=8)
def settable_uniforms(text: str) -> Mapping[str, Uniform]:
    """Returns what a file may set, by the author's name: uniforms, samplers too, and members, in order.

    A structure stands as its members alone; `Uniform.driver_name` is OpenGL's name of a member. What conditional
    compilation leaves out, as far as the text itself decides, does not count.
    """
    text = without_inactive_branches(text)
    members = _Members(text)
    declared = itertools.chain(uniforms_of(text).values(), members.blocks())
    found: dict[str, Uniform] = {}
    for each in itertools.islice((each for uniform in declared for each in members.of(uniform)), _MOST_MEMBERS):
        found.setdefault(each.name, each)
    return found


class _Members:
    def __init__(self, text: str) -> None:
        self._bare = without_comments(text)
        self._numbers = named_numbers(self._bare)
        self._structs = {match["name"]: self._declared(match["members"]) for match in _STRUCT.finditer(self._bare)}
        # How often each name occurs: anywhere, as a member, with all of its members.
        self._words, self._as_member, self._whole = (
            Counter(pattern.findall(self._bare)) for pattern in (_WORD, _MEMBER, _WHOLE)
        )

    def of(self, uniform: Uniform, depth: int = 0) -> Iterator[Uniform]:
        """Yields the uniform, or the members of its structure."""
        members = self._structs.get(uniform.type)
        if members is None:
            yield uniform
            return
        if depth == _DEEPEST or uniform.array_count is None:
            return
        places = [""] if not uniform.is_array else [f"[{i}]" for i in range(min(uniform.array_count, _MOST_MEMBERS))]
        for place in places:
            for member in members:
                yield from self.of(self._member(uniform, place, member), depth + 1)

    def blocks(self) -> Iterator[Uniform]:
        """Yields the members of all uniform blocks; each may be a structure."""
        line, counted = 1, 0
        for match in _BLOCK.finditer(self._bare):
            name, instance = match["name"], match["instance"] or ""
            line, counted = line + self._bare.count("\n", counted, match.start("members")), match.start("members")
            first = line
            for part in match["members"].split(";"):
                own = first + part.count("\n", 0, len(part) - len(part.lstrip()))
                block = Uniform(instance, name, 1, own, 0, False, name if instance else "", name)
                for member in self._declared(part):
                    yield self._member(block, "", member)
                first += part.count("\n")

    def _member(self, of: Uniform, place: str, member: DeclaredVariable) -> Uniform:
        name, driver_name = (
            f"{each}{place}.{member.name}" if each else member.name for each in (of.name, of.in_driver)
        )
        block_name = f"{of.block_name}{place}.{member.name}" if of.block_name else ""
        count, mentions = element_count(member.sizes, self._number), self._mentions(of, member.name)
        return Uniform(
            name, member.type, count, of.line, mentions, False, driver_name, block_name, bool(member.sizes)
        )  # fmt: skip

    def _mentions(self, of: Uniform, member: str) -> int:
        """Counts, beside the declaration, where a member is read: by its name, or with all of its structure."""
        root = of.name.partition(".")[0].partition("[")[0]
        if not root:
            return self._words[member]
        return 1 + self._as_member[member] + max(self._whole[root] - 1, 0)

    def _declared(self, members: str) -> Sequence[DeclaredVariable]:
        return [each for part in members.split(";") for each in variables_in([*words_in(part), ";"])]

    def _number(self, size: str) -> int | None:
        return plain_number(size, self._numbers)


def is_idle(texts: Sequence[str], name: str) -> bool:
    """Reports whether shaders declare a uniform and use it nowhere, as far as their texts show."""
    found = [settable_uniforms(without_unused_macros(text)).get(name) for text in texts]
    return any(each is not None for each in found) and all(each is None or each.mentions <= 1 for each in found)


def by_any_name(settable: Mapping[str, Uniform], name: str) -> Uniform | None:
    """Returns the uniform of that name: the author's, or, of a member, the one that begins with its block's."""
    known = settable.get(name)
    return known if known is not None else next((each for each in settable.values() if each.block_name == name), None)


def key_of(name: str, table: str = "uniforms") -> str:
    """Returns the key of a uniform or member in a pipeline file: with dots where TOML takes them, else in quotes."""
    return f"{table}.{name}" if _DOTTED.fullmatch(name) else f'{table}."{name}"'
