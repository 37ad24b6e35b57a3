"""Makes by hand a trace as the driver would log it of `SHADER`: a function, two loops, a sum."""

from __future__ import annotations

from dataclasses import replace

from texelscope.pipeline.step_trace.trace import Assigned, Number, TexelRead, Trace, TraceStep

FILE = "sum.frag"
SHADER = """\
float tap(vec2 at) {
    float v = texture(u_x, at).r;
    return v;
}
void main() {
    float sum = 0.0;
    for (int ky = 0; ky < 3; ky++) {
        for (int kx = 0; kx < 2; kx++) {
            vec2 at = vec2(kx, ky);
            float t = tap(at);
            sum += t;
        }
    }
    y = sum;
}
"""


class Writer:
    """Writes steps down, one after the other."""

    def __init__(self) -> None:
        self.steps: list[TraceStep] = []
        self.calls = 0

    def step(self, line: int, text: str, turns: tuple[int, ...] = (), *, inside: int = 0, **more: object) -> int:
        """Returns one step of main, or of the call `inside`; its number."""
        function = "tap" if inside else "main"
        place = len(self.steps)
        step = TraceStep(place, (FILE, line), function, inside, int(bool(inside)), turns, text)
        self.steps.append(replace(step, **more))  # type: ignore[arg-type]
        return place

    def assign(
        self, step: int, name: str, *value: Number, kind: str = "float", inside: int = 0, out: bool = False
    ) -> None:
        """Adds an assignment of a step, with the steps begun so far."""
        function = "" if out else "tap" if inside else "main"
        made = Assigned(name, kind, value, len(self.steps), function, inside)
        self.steps[step] = replace(self.steps[step], assigned=(*self.steps[step].assigned, made))

    def tap(self, turns: tuple[int, ...], kx: int, ky: int) -> None:
        """Returns the body of the inner loop."""
        self.assign(self.step(9, "vec2 at = vec2(kx, ky);", turns), "at", float(kx), float(ky), kind="vec2")
        calling = self.step(10, "float t = tap(at);", turns)
        self.calls += 1
        call = self.calls
        self.assign(calling, "at", float(kx), float(ky), kind="vec2", inside=call)
        value = float(10 * ky + kx)
        read = TexelRead(
            "u_x", "x", (kx, ky), (kx + 0.5, ky + 0.5), (0,), (0,), (value, 0.0, 0.0, 1.0), "texture(u_x, at)"
        )
        self.assign(self.step(2, "float v = texture(u_x, at).r;", inside=call, reads=(read,)), "v", value, inside=call)
        self.step(3, "return v;", inside=call, end="return", returned=(value,))
        self.assign(calling, "t", value)


def trace(rows: int = 3, columns: int = 2, watches: tuple[str, ...] = ("kx == 1 && ky > 0",)) -> Trace:
    """All of it: 3 + `rows` * (4 + `columns` * 7) + 3 steps."""
    out = Writer()
    total = 0.0
    out.assign(out.step(6, "float sum = 0.0;"), "sum", 0.0)
    out.assign(out.step(7, "int ky = 0"), "ky", 0, kind="int")
    for ky in range(rows + 1):
        out.step(7, "ky < 3", (ky,), branch=ky < rows)
        if ky == rows:
            break
        out.assign(out.step(8, "int kx = 0", (ky,)), "kx", 0, kind="int")
        for kx in range(columns + 1):
            out.step(8, "kx < 2", (ky, kx), branch=kx < columns)
            if kx == columns:
                break
            out.tap((ky, kx), kx, ky)
            total += 10 * ky + kx
            watched = dict.fromkeys(watches, (kx == 1 and ky > 0,))
            out.assign(out.step(11, "sum += t;", (ky, kx), watched=watched), "sum", total)
            out.assign(out.step(8, "kx++", (ky, kx)), "kx", kx + 1, kind="int")
        out.assign(out.step(7, "ky++", (ky,)), "ky", ky + 1, kind="int")
    out.assign(out.step(14, "y = sum;"), "y", total, out=True)
    steps = tuple(out.steps)
    return Trace("down1", (33, 12), 7, len(steps), steps, {"y": (total, 0.0, 0.0, 1.0)}, watches=watches)


def window(whole: Trace, first: int, count: int) -> Trace:
    """Returns a part of the trace, as if only that had been recorded."""
    before: dict[tuple[int, str, str], Assigned] = {}
    for step in whole.steps[:first]:
        before |= {(each.call, each.function, each.name): each for each in step.assigned if each.begun <= first}
    return replace(whole, steps=whole.steps[first : first + count], before=tuple(before.values()))
