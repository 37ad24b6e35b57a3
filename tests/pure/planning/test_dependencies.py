"""Tests which passes depend on a tensor, drawn or dispatched, and which to compute again as it changes."""

from texelscope.pipeline.plan import BufferBinding, Dispatch, ImageBinding, Pass, ProgramSource, Sampler
from texelscope.pipeline.planning.recomputing import Dependencies

_PROGRAM = ProgramSource("", (), stage="compute")


def _dispatched(name: str, dispatch: Dispatch) -> Pass:
    return Pass(name, "shader", (name,), (), _PROGRAM, dispatch=dispatch)


def _chain() -> Dependencies:
    """x to y to z to w."""
    passes = [Pass(to, "shader", (to,), (Sampler("t_x", of),), _PROGRAM) for of, to in ("xy", "yz", "zw")]
    return Dependencies(passes)


def test_passes_follow_through_buffers() -> None:
    """What depends on a tensor through a buffer or an image follows it as through a sampler."""
    passes = (
        _dispatched("y", Dispatch((1, 1, 1), (BufferBinding("a", "x"), BufferBinding("b", "y")))),
        _dispatched("z", Dispatch((1, 1, 1), (), (ImageBinding("a", "y"), ImageBinding("b", "z")))),
        _dispatched("w", Dispatch((1, 1, 1), (BufferBinding("b", "w"),))),
    )
    assert [each.name for each in Dependencies(passes).followers({"x"})] == ["y", "z"]


def test_the_makers_are_those_between_what_is_there_and_what_is_wanted() -> None:
    assert [each.name for each in _chain().makers("w", {"y"})] == ["z", "w"]


def test_only_what_was_computed_is_to_be_computed_again() -> None:
    """A tensor changes: those behind it that were made go, also behind one that was not; those before it stay."""
    assert _chain().outdated({"x"}, {"x", "w"}) >= {"w"}
    assert _chain().outdated({"y"}, {"x", "y", "z"}) & {"x", "y", "z"} == {"z"}
    assert _chain().outdated({"y"}, {"x", "y"}) & {"x", "y"} == set()
