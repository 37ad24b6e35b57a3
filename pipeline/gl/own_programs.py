"""Writes the programs of a form as llvmpipe is to have them: one for each machine code, that may draw at any column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from texelscope.pipeline.lowerings.lowering import Lowering, LoweringStep, is_power_of_two
from texelscope.pipeline.plan import StoredTensor

# The uniform that says at which column a draw begins.
LEFT = "u_left"


def own_programs(form: Lowering, textures: Mapping[str, StoredTensor]) -> tuple[LoweringStep, ...]:
    """Returns the form's steps with a program for each combination of sides for which llvmpipe generates code.

    llvmpipe generates code from the program, and changes that by it: a program's second code is kept on disk under a
    name that only the same order of draws finds again. A comment makes another program of the same text.
    """
    sides = {each.name: (each.height, each.width) for each in form.scratch}

    def alike(name: str) -> str:
        height, width = sides[name] if name in sides else textures[name].texture_shape
        return f"{is_power_of_two(height):d}{is_power_of_two(width):d}"

    def own(step: LoweringStep) -> LoweringStep:
        if step.kind != "fragment":
            return step
        found = " ".join(map(alike, (*step.textures, *step.images)))
        text = step.program.fragment if step.targets else _placed(step.program.fragment)
        fragment = f"{text}\n// height and width are powers of two: {found}\n"
        return replace(step, program=replace(step.program, fragment=fragment))

    return tuple(map(own, form.steps))


def _placed(text: str) -> str:
    """Returns a program whose draw may begin anywhere in its target; see `pipeline.gl.dealing`."""
    version, rest = text.split("\n", 1)
    own = f"(gl_FragCoord - vec4({LEFT}, 0.0, 0.0, 0.0))"
    return f"{version}\nuniform float {LEFT};\n{rest.replace('gl_FragCoord', own)}"
