"""Parses the directives of a block: where it hooks in, what it reads and writes, at which size, when."""

from __future__ import annotations

import re
from collections.abc import Sequence

from texelscope.pipeline.dialects.mpv.blocks import Compute, HookBlock, Named, Offset
from texelscope.pipeline.dialects.mpv.rpn import Expression, expression
from texelscope.pipeline.dialects.mpv.words import Directive
from texelscope.pipeline.errors import nearest
from texelscope.pipeline.glsl.source_text import without_comments

# The stages at which mpv's renderer runs shaders, in its order.
HOOK_POINTS = (
    "LUMA", "CHROMA", "RGB", "XYZ", "ALPHA", "CHROMA_SCALED", "ALPHA_SCALED", "NATIVE", "MAINPRESUB", "MAIN",
    "LINEAR", "SIGMOID", "PREKERNEL", "POSTKERNEL", "SCALED", "PREOUTPUT", "OUTPUT",
)  # fmt: skip
_HOOK = re.compile(r"\bhook\b")
_ONCE = ("SAVE", "DESC", "OFFSET", "WIDTH", "HEIGHT", "WHEN", "COMPONENTS", "COMPUTE")
_KNOWN = ("HOOK", "BIND", *_ONCE)


def block(directives: Sequence[Directive], body: str, body_line: int) -> HookBlock:
    """Returns the block that begins with these directives; the last of two equal ones counts, as in mpv."""
    place = directives[0].place
    hooks: list[Named] = []
    binds: list[Named] = []
    last: dict[str, Directive] = {}
    for each in directives:
        if each.word == "HOOK":
            hooks.append(_hook(each))
        elif each.word == "BIND":
            binds.append(Named(each.name(), each.place))
        elif each.word in _ONCE:
            last[each.word] = each
        else:
            raise each.unknown("a block", _KNOWN)
    if not hooks:
        raise place.fault("//!HOOK and a plane in every block", "a block without", "For example //!HOOK MAIN.")
    if not _HOOK.search(without_comments(body)):
        got = "one without it" if body.strip() else "nothing"
        raise place.fault("a body with hook() below the directives", got, "Write it, or remove the block.")
    components = last.get("COMPONENTS")
    return HookBlock(
        place=place,
        hooks=tuple(hooks),
        body=body,
        body_line=body_line,
        binds=tuple(binds),
        save=Named(last["SAVE"].name(), last["SAVE"].place) if "SAVE" in last else None,
        description=last["DESC"].rest if "DESC" in last else "",
        width=_expression(last.get("WIDTH")),
        height=_expression(last.get("HEIGHT")),
        when=_expression(last.get("WHEN")),
        offset=_offset(last.get("OFFSET")),
        components=components.whole(1, most=4)[0] if components is not None else None,
        compute=_compute(last.get("COMPUTE")),
    )


def _hook(directive: Directive) -> Named:
    if not directive.rest:
        raise directive.place.fault("a plane behind //!HOOK", "none", f"One of {', '.join(HOOK_POINTS)}.")
    if directive.rest not in HOOK_POINTS:
        raise directive.place.fault(
            "a plane that mpv has behind //!HOOK", f"'{directive.rest}'", nearest(directive.rest, HOOK_POINTS)
        )
    return Named(directive.rest, directive.place)


def _expression(directive: Directive | None) -> Expression | None:
    return expression(directive.rest, directive.place) if directive is not None else None


def _offset(directive: Directive | None) -> Offset:
    if directive is None:
        return Offset()
    if directive.rest == "ALIGN":
        return Offset(aligned=True)
    x, y = directive.numbers(2)
    return Offset(x, y)


def _compute(directive: Directive | None) -> Compute | None:
    if directive is None:
        return None
    numbers = directive.whole(2, 4, most=1024)
    block_size = (numbers[0], numbers[1])
    threads = (numbers[2], numbers[3]) if len(numbers) == 4 else block_size
    return Compute(block_size, threads, directive.place)
