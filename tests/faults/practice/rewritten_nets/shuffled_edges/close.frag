#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// Three columns wide, seven channels to three; log(1 + exp) of the sum, from the side that cannot overflow.
uniform sampler2D t_X;      // 7 channels of 10 x 8, three across
uniform sampler2D t_W;      // 21 rows of three taps
uniform sampler2D t_B;

out vec4 Y;

float softplus(float v) { return max(v, 0.0) + log(1.0 + exp(-abs(v))); }

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    ivec2 p = here % ivec2(10, 8);
    int o = here.y / 8 * 2 + here.x / 10;
    if (o == 3) {
        Y = vec4(0.0);
        return;
    }
    float s = 0.0;
    for (int i = 0; i < 7; i++) {
        ivec2 at = ivec2(i % 3, i / 3) * ivec2(10, 8) + p;
        int row = o * 7 + i;
        float left = p.x > 0 ? texelFetch(t_X, at - ivec2(1, 0), 0).r : 0.0;
        float right = p.x < 9 ? texelFetch(t_X, at + ivec2(1, 0), 0).r : 0.0;
        s += left * texelFetch(t_W, ivec2(0, row), 0).r;
        s += texelFetch(t_X, at, 0).r * texelFetch(t_W, ivec2(1, row), 0).r;
        s += right * texelFetch(t_W, ivec2(2, row), 0).r;
    }
    Y = vec4(softplus(s + texelFetch(t_B, ivec2(o, 0), 0).r));
}
