#version 300 es
precision highp float;
precision highp sampler2D;

uniform sampler2D u_photo;
uniform sampler2D u_tone;
out vec4 o_graded;

struct Curve {
    vec3 gain;
    vec3 lift;
};

const vec3 ALPHA[3] = vec3[3](
    vec3(0.5965, 0.6665, 0.1571),
    vec3(0.5802, 0.2552, 0.3854),
    vec3(0.2146, 0.5090, 0.2651)
);

float tone(int n) {
    return texelFetch(u_tone, ivec2(n, 0), 0).r;
}

Curve read_curve() {
    Curve curve;
    curve.gain = 2.6 * vec3(tone(0), tone(1), tone(2));
    curve.lift = 0.6 * (vec3(tone(3), tone(4), tone(5)) - 0.5);
    return curve;
}

vec3 bend(vec3 x, vec3 alpha) {
    return x + alpha * (x - x * x);
}

void main() {
    Curve curve = read_curve();
    vec3 colour = texelFetch(u_photo, ivec2(gl_FragCoord.xy), 0).rgb;
    colour = clamp(colour * curve.gain + curve.lift, 0.0, 1.0);
    for (int i = 0; i < 3; i++) {
        colour = bend(colour, ALPHA[i]);
    }
    o_graded = vec4(colour, 1.0);
}
