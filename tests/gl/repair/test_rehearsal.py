"""A program that a driver refuses is known before it comes to this process's own driver."""

from __future__ import annotations

from pipeline.repair.benches.rehearsal import Rehearsal

VERTEX = "#version 330\nvoid main() { gl_Position = vec4(0.0); }\n"
FINE = "#version 330\nout vec4 o; void main() { o = vec4(1.0); }\n"


def test_what_a_driver_takes_and_what_it_refuses_is_told() -> None:
    rehearsal = Rehearsal()
    try:
        assert rehearsal.takes(VERTEX, FINE)
        assert not rehearsal.takes(VERTEX, FINE.replace("vec4(1.0)", "nothing"))
        assert rehearsal.takes("", "#version 430\nlayout(local_size_x = 1) in;\nvoid main() {}\n")
    finally:
        rehearsal.close()
