#version 330 core
// 3x3 with zeros around, then PReLU. Four channels in, two tiles across; six out, three across.
uniform sampler2D t_X;
uniform sampler2D t_W;
uniform sampler2D t_B;
uniform sampler2D t_SLOPE;

out float Y;

#define WIDE 10
#define HIGH 12

void main() {
    int gx = int(gl_FragCoord.x), gy = int(gl_FragCoord.y);
    int o = gy / HIGH * 3 + gx / WIDE;
    int x = gx % WIDE, y = gy % HIGH;

    float s = 0.0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            if (x + dx < 0 || x + dx >= WIDE || y + dy < 0 || y + dy >= HIGH) continue;
            for (int i = 0; i < 4; ++i) {
                float a = texelFetch(t_X, ivec2(i % 2 * WIDE + x + dx, i / 2 * HIGH + y + dy), 0).r;
                // a filter is a block of two by two kernels, three blocks a row
                ivec2 k = ivec2(o % 3 * 2 + i % 2, o / 3 * 2 + i / 2) * 3;
                s += a * texelFetch(t_W, k + ivec2(dx + 1, dy + 1), 0).r;
            }
        }
    s += texelFetch(t_B, ivec2(o, 0), 0).r;
    float slope = texelFetch(t_SLOPE, ivec2(o % 3, o / 3), 0).r;
    Y = s >= 0.0 ? s : s * slope;
}
