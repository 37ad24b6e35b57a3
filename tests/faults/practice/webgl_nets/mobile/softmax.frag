#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// softmax of 7 numbers in two pixels

uniform sampler2D logits;
layout(location = 0) out vec4 color;

void main() {
    vec4 a = texelFetch(logits, ivec2(0, 0), 0);
    vec4 b = texelFetch(logits, ivec2(1, 0), 0);
    float top = max(max(max(a.x, a.y), max(a.z, a.w)), max(max(b.x, b.y), b.z));
    vec4 ea = exp(a - top);
    vec3 eb = exp(b.xyz - top);
    float total = ea.x + ea.y + ea.z + ea.w + eb.x + eb.y + eb.z;
    vec4 own = exp(texelFetch(logits, ivec2(gl_FragCoord.xy), 0) - top);
    color = own / total;
}
