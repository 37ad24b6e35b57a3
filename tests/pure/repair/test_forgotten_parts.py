"""What an author may have forgotten of an index, of a mean, of a function's argument, of a vector's lanes."""

from __future__ import annotations

import pytest

from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram

HEAD = "#version 330\nuniform sampler2D image;\nuniform int u_one, u_two;\nuniform float u_power;\nout vec4 result;\n"
AT = "float at(ivec4 p) { return texelFetch(image, p.zw, 0)[p.y]; }\nint group(ivec2 p) { return p.x / 4; }\n"


def edited(body: str) -> set[str]:
    source = f"{HEAD}{AT}void main() {{ {body} }}\n"
    text = MutableProgram(ProgramSource(source, (SourceFile(0, "a.frag", source),)))
    made = (text.edited((each,)) for each in text.edits((), (3.0, 5.0)))
    return {each.partition("void main() { ")[2].removesuffix(" }\n") for each in made}


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("ivec2 o = ivec2(gl_FragCoord), r = o / 4; result = texelFetch(image, r, 0);",
         "ivec2 o = ivec2(gl_FragCoord), r = o / 4; result = texelFetch(image, o + r, 0);"),
        ("ivec2 p = ivec2(gl_FragCoord); result = texelFetch(image, ivec2(0, 0), 0);",
         "ivec2 p = ivec2(gl_FragCoord); result = texelFetch(image, ivec2(group(p), 0), 0);"),
        ("ivec4 p = ivec4(1); result = vec4(at(ivec4(0, p.yzw)));",
         "ivec4 p = ivec4(1); result = vec4(at(ivec4(p.x, p.yzw)));"),
        ("int c = 7, x = 1; result = texelFetch(image, ivec2(c / 4 + x, 0), 0);",
         "int c = 7, x = 1; result = texelFetch(image, ivec2((c / 4 * 5) + x, 0), 0);"),
        ("int h = 7; result = texelFetch(image, ivec2(u_one + h, 0), 0);",
         "int h = 7; result = texelFetch(image, ivec2((u_one + u_two) + h, 0), 0);"),
        ("for (int a = u_one; a < 3; a++) result += texelFetch(image, ivec2(u_two + a, 0), 0);",
         "for (int a = u_one; a < 3; a++) result += texelFetch(image, ivec2(u_two + (2 - a), 0), 0);"),
        ("for (int a = u_one; a < 3; a++) result += texelFetch(image, ivec2(u_two * a + 2 - a, 0), 0);",
         "for (int a = u_one; a < 3; a++) result += texelFetch(image, ivec2(u_two * a + a, 0), 0);"),
        ("float sum = 0.0; for (int a = u_one; a <= u_two; a++) sum += float(a); result = vec4(sum / float(4));",
         "float sum = 0.0; for (int a = u_one; a <= u_two; a++) sum += float(a);"
         " result = vec4(sum / float(u_two - u_one + 1));"),
        ("float sum = 0.0; for (int a = 0; a < u_two; a++) for (int b = u_one; b < 4; b++) sum += 1.0;"
         " result = vec4(sum / 12.0);",
         "float sum = 0.0; for (int a = 0; a < u_two; a++) for (int b = u_one; b < 4; b++) sum += 1.0;"
         " result = vec4(sum / float(u_two * (4 - u_one)));"),
        ("float count = float(u_one * u_two); result = vec4(count);",
         "float count = float(4 * u_one * u_two); result = vec4(count);"),
        ("vec4 v = result; result = vec4(max(max(v.x, v.y), v.z));",
         "vec4 v = result; result = vec4(max(max(max(v.x, v.y), v.z), v.w));"),
        ("vec4 v = result; result = vec4(dot(v.xyz, vec3(1.0)));",
         "vec4 v = result; result = vec4(dot(v, vec4(1.0)));"),
        ("float v = result.x; result = vec4(tanh(v));", "float v = result.x; result = vec4(tanh(0.5 * v));"),
        ("float v = result.x, m = 1.0; result = vec4(exp(v));",
         "float v = result.x, m = 1.0; result = vec4(exp(v - m));"),
        ("float v = result.x; result = vec4(inversesqrt(v));",
         "float v = result.x; result = vec4(pow(v, -u_power));"),
        ("float x = 1.0, m = 2.0, b = 3.0; float y = (x - m + b) * 4.0; result = vec4(y);",
         "float x = 1.0, m = 2.0, b = 3.0; float y = (x - m) * 4.0 + b; result = vec4(y);"),
        ("float n = 0.0; for (int a = 0; a < 3; a++) result += 1.0; n += 1.0; result /= n;",
         "float n = 0.0; for (int a = 0; a < 3; a++) { result += 1.0; n += 1.0; } result /= n;"),
    ],
)  # fmt: skip
def test_it_is_put_back(wrong: str, right: str) -> None:
    assert right in edited(wrong)
