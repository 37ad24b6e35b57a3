#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// end of the block: gate, 1x1 convolution, batch norm, residual, relu

uniform sampler2D image;
uniform sampler2D gates;
uniform sampler2D residual;
uniform sampler2D weights;
uniform sampler2D scales;
uniform sampler2D shifts;
uniform sampler2D means;
uniform sampler2D variances;
layout(location = 0) out vec4 color;

const int W = 7, H = 5, COLS = 2, GROUPS = 3;
const float EPSILON = 0.002;

vec4 weight(int o, int g) {
    int k = o * GROUPS + g;
    return texelFetch(weights, ivec2(k % 6, k / 6), 0);
}

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    int x = p.x % W, y = p.y % H;
    int group = p.y / H * COLS + p.x / W;

    vec4 sum = vec4(0.0);
    for (int g = 0; g < GROUPS; g++) {
        ivec2 tile = ivec2(g % COLS, g / COLS);
        vec4 gate = texelFetch(gates, tile, 0);
        vec4 v = texelFetch(image, tile * ivec2(W, H) + ivec2(x, y), 0) * gate;
        mat4 m = mat4(weight(group * 4, g), weight(group * 4 + 1, g),
                      weight(group * 4 + 2, g), weight(group * 4 + 3, g));
        sum += v * m;
    }

    vec4 scale = texelFetch(scales, ivec2(group, 0), 0) / sqrt(texelFetch(variances, ivec2(group, 0), 0) + EPSILON);
    vec4 shift = texelFetch(shifts, ivec2(group, 0), 0) - texelFetch(means, ivec2(group, 0), 0) * scale;
    sum = sum * scale + shift;
    sum += texelFetch(residual, p, 0);
    color = max(sum, vec4(0.0));
}
