"""Finds the members of uniform blocks and of uniforms of structures, in a shader's text, without a driver.

OpenGL calls a member of a block by the block's name (`Params.gain`, for `uniform Params { float gain; } params;`), or
by its own alone where the block has no instance name; a member of a structure by the uniform's name (OpenGL 4.6,
7.3.1). Authors write the instance's name, so that both are known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from texelscope.layouts.outside_text import whole_number
from texelscope.pipeline.glsl.macros import without_inactive_branches
from texelscope.pipeline.glsl.semantics.variables import DeclaredVariable, variables_in, words_in
from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.pipeline_file.declarations import Uniform, uniforms_of

# Every repetition is limited, so that a text of nothing but beginnings is read in time linear in its length.
_BLOCK = re.compile(
    r"\buniform\s{1,99}+(?P<name>[A-Za-z_]\w{0,99}+)\s{0,99}+\{(?P<members>[^{}]{0,9999}+)\}\s{0,99}+"
    r"(?:(?P<instance>[A-Za-z_]\w{0,99}+)\s{0,99}+)?(?P<sizes>[^;{}()]{0,99}+);"
)
_STRUCT = re.compile(r"\bstruct\s{1,99}+(?P<name>[A-Za-z_]\w{0,99}+)\s{0,99}+\{(?P<members>[^{}]{0,9999}+)\}")
_NUMBER = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(?P<macro>\w{1,99})[ \t]+(?P<value>\d{1,9})[ \t]*$"
    r"|\bconst\s{1,9}+u?int\s{1,9}+(?P<constant>\w{1,99})\s{0,9}+=\s{0,9}+(?P<number>\d{1,9})u?\s{0,9}+;",
    re.MULTILINE,
)
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
    found: dict[str, Uniform] = {}
    for uniform in uniforms_of(text).values():
        for each in members.of(uniform):
            found[each.name] = each
    for uniform in members.blocks():
        for each in members.of(uniform):
            found.setdefault(each.name, each)
    return dict(list(found.items())[:_MOST_MEMBERS])


class _Members:
    def __init__(self, text: str) -> None:
        self._bare = without_comments(text)
        self._numbers = {
            match["macro"] or match["constant"]: int(match["value"] or match["number"])
            for match in _NUMBER.finditer(self._bare)
        }
        self._structs = {match["name"]: self._declared(match["members"]) for match in _STRUCT.finditer(self._bare)}

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
        for match in _BLOCK.finditer(self._bare):
            instance = match["instance"] or ""
            line = self._bare.count("\n", 0, match.start("members")) + 1
            for part in match["members"].split(";"):
                first = line + part.count("\n", 0, len(part) - len(part.lstrip()))
                name = match["name"]
                block = Uniform(instance, name, 1, first, 0, False, name if instance else "", name)
                for member in self._declared(part):
                    yield self._member(block, "", member)
                line += part.count("\n")

    def _member(self, of: Uniform, place: str, member: DeclaredVariable) -> Uniform:
        name, driver_name = (
            f"{each}{place}.{member.name}" if each else member.name for each in (of.name, of.driver_name or of.name)
        )
        block_name = f"{of.block_name}{place}.{member.name}" if of.block_name else ""
        return Uniform(
            name, member.type, self._count(member.sizes), of.line, self._mentions(of, member.name), False,
            driver_name, block_name, bool(member.sizes),
        )  # fmt: skip

    def _mentions(self, of: Uniform, member: str) -> int:
        """Counts, beside the declaration, where a member is read: by its name, or with all of its structure."""
        root = of.name.partition(".")[0].partition("[")[0]
        if not root:
            return len(re.findall(rf"\b{re.escape(member)}\b", self._bare))
        by_name = re.findall(rf"\.\s{{0,9}}{re.escape(member)}\b", self._bare)
        whole = re.findall(rf"\b{re.escape(root)}\b(?!\s{{0,9}}[.\[])", self._bare)
        return 1 + len(by_name) + max(len(whole) - 1, 0)

    def _declared(self, members: str) -> Sequence[DeclaredVariable]:
        return [each for part in members.split(";") for each in variables_in([*words_in(part), ";"])]

    def _count(self, sizes: Sequence[str]) -> int | None:
        count = 1
        for size in sizes:
            number = self._numbers.get(size, whole_number(size))
            if number is None:
                return None
            count *= number
        return count


def by_any_name(settable: Mapping[str, Uniform], name: str) -> Uniform | None:
    """Returns the uniform of that name: the author's, or, of a member, the one that begins with its block's."""
    known = settable.get(name)
    return known if known is not None else next((each for each in settable.values() if each.block_name == name), None)
