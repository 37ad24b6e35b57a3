#version 330 core
// g2: outputs 0 1 | 2 3 | 4 5 from the texels 0 | 1 | 2, steps of 2 down and 1 across

uniform sampler2D tex_in;
uniform sampler2D tex_w;
uniform sampler2D tex_b;

layout(location = 0) out vec4 o_color;

vec4 w(int o, int kx, int ky) {
    return texelFetch(tex_w, ivec2(o % 3 * 3 + kx, o / 3 * 3 + ky), 0);
}

void main() {
    ivec2 xy = ivec2(gl_FragCoord.xy);
    int half_ = xy.x / 5, x = xy.x % 5;
    int n = xy.y / 4, y = xy.y % 4 * 2;

    vec4 s = vec4(0.0);
    for (int ky = 0; ky < 3; ky++) {
        int sy = y + ky - 1;
        if (sy < 0 || sy > 7) continue;
        for (int kx = 0; kx < 3; kx++) {
            int sx = x + kx - 1;
            if (sx < 0 || sx > 4) continue;
            if (half_ == 0) {
                vec4 first = texelFetch(tex_in, ivec2(sx, n * 8 + sy), 0);
                vec4 second = texelFetch(tex_in, ivec2(sx + 5, n * 8 + sy), 0);
                s.x += dot(first, w(0, kx, ky));
                s.y += dot(first, w(1, kx, ky));
                s.z += dot(second, w(2, kx, ky));
                s.w += dot(second, w(3, kx, ky));
            } else {
                vec4 third = texelFetch(tex_in, ivec2(sx + 10, n * 8 + sy), 0);
                s.x += dot(third, w(4, kx, ky));
                s.y += dot(third, w(5, kx, ky));
            }
        }
    }
    int o = half_ * 4;
    s.x += texelFetch(tex_b, ivec2(o, 0), 0).x;
    s.y += texelFetch(tex_b, ivec2(o + 1, 0), 0).x;
    if (half_ == 0) {
        s.z += texelFetch(tex_b, ivec2(2, 0), 0).x;
        s.w += texelFetch(tex_b, ivec2(3, 0), 0).x;
    }
    o_color = s;
}
