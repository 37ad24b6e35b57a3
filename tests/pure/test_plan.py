"""What a pass says of itself: what it reads, be it drawn or dispatched."""

from texelscope.pipeline.plan import BufferBinding, Dispatch, ImageBinding, Pass, ProgramSource, Sampler

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


def test_an_edited_compute_shader_stays_one() -> None:
    """The stage is the program's, whatever its text."""
    assert _PROGRAM.with_fragment("void main() {}").stage == "compute"
