#version 300 es
// 3x3 in whole numbers: steps less their zero points. The sum is scaled, clipped and written in steps again.
precision highp float;
precision highp int;
precision highp usampler2D;

uniform usampler2D uSource;
uniform usampler2D uWeight;
uniform float uBias[6];
uniform float uWeightScale[6];
uniform ivec2 uZero;   // of the source, of the weights
uniform vec2 uScale;   // of the source, of the result
uniform ivec4 uSize;   // width, height, inputs, outputs
out vec4 fragColor;

int source(int x, int y, int c) {
    if (x < 0 || y < 0 || x >= uSize.x || y >= uSize.y) return 0;
    return int(texelFetch(uSource, ivec2(x, c / 4 * uSize.y + y), 0)[c % 4]) - uZero.x;
}

int weight(int o, int tap, int c) {
    return int(texelFetch(uWeight, ivec2(tap * uSize.z + c, o), 0).r) - uZero.y;
}

void main() {
    ivec2 px = ivec2(gl_FragCoord.xy);
    int y = px.y % uSize.y;
    int first = px.y / uSize.y * 4;
    vec4 steps = vec4(0.0);
    for (int lane = 0; lane < 4; ++lane) {
        int o = first + lane;
        if (o >= uSize.w) break;
        int acc = 0;
        for (int tap = 0; tap < 9; ++tap) {
            for (int c = 0; c < uSize.z; ++c) {
                acc += source(px.x + tap % 3 - 1, y + tap / 3 - 1, c) * weight(o, tap, c);
            }
        }
        float real = float(acc) * (uScale.x * uWeightScale[o]) + uBias[o];
        steps[lane] = floor(clamp(real, 0.0, 6.375) / uScale.y + 0.5);
    }
    fragColor = steps / 255.0;
}
