precision highp float;
precision highp sampler2D;
#define CHANNELS 12
#define AT(t, p) texture2D(t, ((p) + 0.5) / u_size)

uniform sampler2D u_state0;
uniform sampler2D u_state1;
uniform vec2 u_size;
varying vec2 v_uv;

// Four of the channels that the step sees: themselves, and how they change from left to right.
void main() {
    vec2 p = floor(v_uv * u_size);
    vec4 here = AT(u_state0, p) - 0.5;
    vec4 slope = AT(u_state1, p + vec2(1.0, 0.0)) - AT(u_state1, p - vec2(1.0, 0.0));
    float alive = step(0.1, here.a);
    gl_FragColor = mix(here * 0.25, here + 0.125 * slope, alive);
}
