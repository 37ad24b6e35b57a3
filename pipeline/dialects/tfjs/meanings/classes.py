"""The class of a program whose name a minifier took: told by its own code, which minifiers leave as it is."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

from texelscope.pipeline.dialects.tfjs.recording.manifest import Program, TfjsRecording

# By class, what stands in the text of a program of it and of none further down.
_MARKS = (
    ("MatMulPackedProgram", r"\bdot2x2ARowBCol\("),
    ("Im2ColPackedProgram", r"\bitemsPerBlockRow\)"),
    ("UnaryOpPackedProgram", r"\bvec4 unaryOperation\("),
    ("UnaryOpProgram", r"\bfloat unaryOperation\("),
    ("BinaryOpPackedProgram", r"\bvec4 binaryOperation\("),
    ("BinaryOpProgram", r"\bfloat binaryOperation\("),
    ("ReshapePackedProgram", r"\binputCoordsFromReshapedOutCoords\("),
    ("DecodeMatrixProgram", r"\boutCoordsFromFlatIndex\("),
    ("EncodeMatrixProgram", r"flatIndex = idiv\(flatIndex, 4, 1\.\)"),
    ("PackProgram", r"\brEdge \|\| cEdge\b"),
    ("UnpackProgram", r"\bvec4 packedInput = getA\("),
    ("Conv2DDerInputProgram", r"\bidyR\b.*\bwRPerm\b"),
    ("DepthwiseConvPacked2DProgram", r"\bint q = d2.*\bxTexelC0Ready\b"),
    ("Conv2DPackedProgram", r"\bxTexelC0Ready\b"),
    ("DepthwiseConv2DProgram", r"w\(:, :, d1, q\) to get y"),
    ("Conv2DProgram", r"w\(:, :, d1, d2\) to get y"),
    ("BatchNormProgram", r"\binversesqrt\(variance\b"),
    ("Pool2DProgram", r"\binitializationValue\b.*\bxRCCorner\b"),
    ("ReduceProgram", r"\bprodValue\b.*\bsumValue\b"),
    ("MeanProgram", r"\bsumValue \+= dot\(values\b"),
    ("SliceProgram", r"\bsourceLoc\b"),
    ("ConcatProgram", r"\bgetT0\(.*\bgetT1\("),
    ("TransposeProgram", r"\bresRC\b|\+\+rc\.\w < .*--rc\.\w;"),
    ("ClipProgram", r"\bclamp\(value, [^;]*\bminVal\b"),
)
# Classes of which the text has no mark of its own, by the kernel that asks for nothing else.
_OF_KERNELS = {
    "ResizeBilinear": "ResizeBilinearProgram",
    "ResizeNearestNeighbor": "ResizeNearestNeighborProgram",
    "PadV2": "PadProgram",
    "AddN": "AddNProgram",
}


def class_of(program: Program, text: str) -> str:
    """The program's class, as TensorFlow.js calls it; whatever it was recorded as where that cannot be told."""
    if program.name.endswith("Program"):
        return program.name
    found = (name for name, mark in _MARKS if re.search(mark, text, re.DOTALL))
    return next(found, None) or _OF_KERNELS.get(program.kernel, program.name)


def with_classes(recording: TfjsRecording, text_of: Callable[[str], str]) -> TfjsRecording:
    """The recording with its programs' classes; `text_of` gives the text of a file."""
    programs = tuple(
        each
        if each.name.endswith("Program")
        else dataclasses.replace(each, name=class_of(each, text_of(each.fragment)))
        for each in recording.programs
    )
    return dataclasses.replace(recording, programs=programs)
