#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp isampler2D;

uniform sampler2D u_values;
uniform isampler2D u_indices;
out vec4 result;

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    ivec4 at = texelFetch(u_indices, p, 0);
    result = texelFetch(u_values, ivec2(at.x, p.y), 0);
}
