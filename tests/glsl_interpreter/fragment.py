"""One fragment of a session's pass, run by the interpreter on what the pass has bound."""

from __future__ import annotations

import re

import numpy as np

from tests.glsl_interpreter.machine import Machine
from tests.glsl_interpreter.textures import Texels
from tests.glsl_interpreter.values import GlslError, Value, single, vector
from texelscope.pipeline.gl.session import Session

_VARYING = re.compile(r"^[ \t]*(?:in|varying)\s+(?:(?:highp|mediump|lowp)\s+)?vec2\s+(\w+)\s*;", re.MULTILINE)


def interpreted(session: Session, name: str, tx: int, ty: int) -> Machine:
    """The fragment at texel (tx, ty) of a pass, run. Raises GlslError for text that the interpreter does not know."""
    each = session.plan.find(name)
    assert each is not None
    program = session.program_source(name)
    textures = {}
    for sampler in each.samplers:
        if sampler.filter != "nearest":
            raise GlslError(f"{sampler.filter} filter")
        texture = session.texture(sampler.key)
        values = np.frombuffer(texture.read(), np.float16 if texture.dtype == "f2" else np.float32)
        texels = values.reshape(texture.height, texture.width, texture.components).astype(np.float32)
        missing = np.zeros((*texels.shape[:2], 4 - texels.shape[2]), np.float32)
        if missing.shape[2]:
            missing[..., -1] = 1.0
        textures[sampler.uniform] = Texels(np.concatenate([texels, missing], axis=2), sampler.wrap == "repeat")
    target = session.texture(each.output)
    given = {"gl_FragCoord": vector("float", (tx + 0.5, ty + 0.5, 0.5, 1.0))}
    for varying in _VARYING.findall(program.fragment):
        given[varying] = Value("vec2", (single((tx + 0.5) / target.width), single((ty + 0.5) / target.height)))
    machine = Machine(program, dict(each.uniforms), textures, given)
    machine.run()
    return machine
