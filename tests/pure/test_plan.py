"""What a pass says of itself: what it reads, be it drawn or dispatched, and who follows."""

from types import MappingProxyType

import layouts
from pipeline.plan import BufferBinding, Dispatch, ImageBinding, Pass, Plan, ProgramSource, Sampler, StoredTensor
from pipeline.planning.dependencies import Dependencies

_PROGRAM = ProgramSource("", (), stage="compute")


def _dispatched(name: str, dispatch: Dispatch, samplers: tuple[Sampler, ...] = ()) -> Pass:
    return Pass(name, "shader", (name,), samplers, _PROGRAM, dispatch=dispatch)


def test_a_dispatched_pass_reads_what_is_bound_and_is_not_its_output() -> None:
    """Each key once, samplers first; several blocks may show one tensor."""
    buffers = (BufferBinding("floats", "x"), BufferBinding("vectors", "x"), BufferBinding("result", "y"))
    images = (ImageBinding("i_z", "z", (8, 4, 2)), ImageBinding("i_y", "y"))
    each = _dispatched("y", Dispatch((1, 1, 1), buffers, images), (Sampler("t_w", "w"),))
    assert each.reads == ("w", "x", "z")
    assert each.bound_reads == (("t_w", "w"), ("floats", "x"), ("vectors", "x"), ("i_z", "z"))


def test_what_an_output_starts_as_is_read() -> None:
    """A shader that changes its buffer in place depends on what it finds there."""
    each = _dispatched("y", Dispatch((1, 1, 1), (BufferBinding("data", "y", starts_as="x"),)))
    assert each.reads == ("x",)
    assert each.bound_reads == (("data", "x"),)


def test_a_drawn_pass_reads_its_samplers_even_its_own_target() -> None:
    """A feedback loop is a dependence too: diagnosis sees it in `reads`."""
    each = Pass("y", "shader", ("y",), (Sampler("t_x", "x"), Sampler("t_y", "y"), Sampler("t_again", "x")), _PROGRAM)
    assert each.reads == ("x", "y")


def test_passes_follow_through_buffers() -> None:
    """What depends on a tensor through a buffer or an image follows it as through a sampler."""
    stored = {key: StoredTensor(key, key, (1, 1, 2, 2), layouts.layout("tfjs_unpacked")) for key in "xyzw"}
    passes = (
        _dispatched("y", Dispatch((1, 1, 1), (BufferBinding("a", "x"), BufferBinding("b", "y")))),
        _dispatched("z", Dispatch((1, 1, 1), (), (ImageBinding("a", "y"), ImageBinding("b", "z")))),
        _dispatched("w", Dispatch((1, 1, 1), (BufferBinding("b", "w"),))),
    )
    plan = Plan("p", MappingProxyType(stored), passes, ("x",), ("z",))
    assert [each.name for each in Dependencies(plan.passes).followers({"x"})] == ["y", "z"]


def test_an_edited_compute_shader_stays_one() -> None:
    """The stage is the program's, whatever its text."""
    assert _PROGRAM.with_fragment("void main() {}").stage == "compute"


def test_only_what_was_computed_is_to_be_computed_again() -> None:
    """A tensor changes: those behind it that were made go, also behind one that was not; those before it stay."""
    chain = [Pass(to, "shader", (to,), (Sampler("t_x", of),), _PROGRAM) for of, to in ("xy", "yz", "zw")]
    dependencies = Dependencies(chain)
    assert dependencies.outdated({"x"}, {"x", "w"}) >= {"w"}
    assert dependencies.outdated({"y"}, {"x", "y", "z"}) & {"x", "y", "z"} == {"z"}
    assert dependencies.outdated({"y"}, {"x", "y"}) & {"x", "y"} == set()
