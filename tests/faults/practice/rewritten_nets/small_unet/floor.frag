#version 330 core
// The lowest floor: six channels of 5 x 6 to nine, 3x3, PReLU. Both grids are three across.
uniform sampler2D t_X;
uniform sampler2D t_W;
uniform sampler2D t_B;
uniform sampler2D t_SLOPE;

out float Y;

struct Place { int c; ivec2 p; };

Place whereAmI(ivec2 here) {
    ivec2 t = here / ivec2(5, 6);
    return Place(t.y * 3 + t.x, here - t * ivec2(5, 6));
}

float at(int c, ivec2 p) {
    bool inside = p.x >= 0 && p.y >= 0 && p.x < 5 && p.y < 6;
    return inside ? texelFetch(t_X, ivec2(c % 3, c / 3) * ivec2(5, 6) + p, 0).r : 0.0;
}

float prelu(float v, int c) {
    return max(v, 0.0) + texelFetch(t_SLOPE, ivec2(c % 3, c / 3), 0).r * min(v, 0.0);
}

void main() {
    Place me = whereAmI(ivec2(gl_FragCoord.xy));
    float s = texelFetch(t_B, ivec2(me.c, 0), 0).r;
    for (int i = 0; i < 6; ++i) {
        ivec2 k = ivec2(me.c % 3, me.c / 3) * ivec2(9, 6) + ivec2(i % 3, i / 3) * 3;
        for (int n = 0; n < 9; ++n) {
            ivec2 tap = ivec2(n % 3, n / 3);
            s += at(i, me.p + tap - 1) * texelFetch(t_W, k + tap, 0).r;
        }
    }
    Y = prelu(s, me.c);
}
