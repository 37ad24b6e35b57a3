#version 330 core
// Even rows are the picture, odd rows its mean over 3x3 without what lies outside; column parity says which four channels.
uniform sampler2D t_X;       // two tiles of 6 x 9

out vec4 Y;

vec4 averaged(ivec2 p, int side) {
    ivec2 low = max(p - 1, ivec2(0));
    ivec2 high = min(p + 1, ivec2(5, 8));
    vec4 s = vec4(0.0);
    for (int y = low.y; y <= high.y; y++) {
        for (int x = low.x; x <= high.x; x++) {
            s += texelFetch(t_X, ivec2(side * 6 + x, y), 0);
        }
    }
    ivec2 n = high - low + 1;
    return s / float(n.x * n.y);
}

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    ivec2 p = here >> 1;
    int side = here.x & 1;
    if ((here.y & 1) == 0) {
        Y = texelFetch(t_X, ivec2(side * 6 + p.x, p.y), 0);
    } else {
        Y = averaged(p, side);
    }
}
