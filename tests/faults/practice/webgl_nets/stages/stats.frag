#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// Mean and variance of every channel, into two targets.
uniform sampler2D u_feat;
uniform ivec2 u_size;

layout(location = 0) out vec4 o_mean;
layout(location = 1) out vec4 o_variance;

void main() {
    ivec2 from = ivec2(int(gl_FragCoord.x) * u_size.x, 0);
    float count = float(u_size.x * u_size.y);

    vec4 total = vec4(0);
    for (int y = 0; y < u_size.y; ++y)
        for (int x = 0; x < u_size.x; ++x)
            total += texelFetch(u_feat, from + ivec2(x, y), 0);
    vec4 mean = total / count;

    vec4 squares = vec4(0);
    for (int y = 0; y < u_size.y; ++y)
        for (int x = 0; x < u_size.x; ++x) {
            vec4 d = texelFetch(u_feat, from + ivec2(x, y), 0) - mean;
            squares += d * d;
        }
    o_mean = mean;
    o_variance = squares / count;
}
