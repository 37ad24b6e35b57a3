#version 300 es
precision highp float;
precision highp sampler2D;
// pixel norm: every pixel over the rms of its 7 channels

uniform sampler2D iChannel0;
uniform vec2 iResolution;
out vec4 fragColor;

const vec2 S = vec2(10., 6.);

void main() {
    vec2 q = mod(gl_FragCoord.xy, S);
    float power = 0.;
    for (float c = 0.; c < 7.; c++) {
        float v = texture(iChannel0, (vec2(mod(c, 3.), floor((c + .5) / 3.)) * S + q) / iResolution).x;
        power += v * v;
    }
    fragColor = texture(iChannel0, gl_FragCoord.xy / iResolution) * inversesqrt(power / 7. + .05);
}
