"""Tests the inspector's words on a compute pass."""

from texelscope.pipeline.plan import BufferBinding, Dispatch, ImageBinding, Pass, ProgramSource
from texelscope.viewer.inspector.figures import dispatch_rows

_PROGRAM = ProgramSource("layout(local_size_x = 8, local_size_y = 4) in;", (), stage="compute")


def test_groups_size_and_what_is_bound_are_told() -> None:
    dispatch = Dispatch(
        (2, 3, 1),
        (BufferBinding("Image", "x"), BufferBinding("Data", "y", starts_as="x")),
        (ImageBinding("i_deep", "z", (4, 3, 2)),),
    )
    each = Pass("y", "Shader", ("y",), (), _PROGRAM, dispatch=dispatch)
    assert list(dispatch_rows(each, _PROGRAM)) == [
        ("dispatch", "2 × 3 × 1 work groups"),
        ("local size", "8 × 4 × 1"),
        ("buffers", "Image: x, Data: y from x"),
        ("images", "i_deep: z 4 × 3 × 2"),
    ]


def test_a_drawn_pass_has_no_such_rows() -> None:
    program = ProgramSource("", ())
    assert list(dispatch_rows(Pass("y", "Shader", ("y",), (), program), program)) == []
