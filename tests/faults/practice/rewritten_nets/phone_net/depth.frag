#version 330 core
// Five rows by three columns of each channel, every second column; held between 0 and 1.5.
uniform sampler2D t_X;       // three tiles of 12 x 9, two across
uniform sampler2D t_W;       // 12 tiles of 3 x 5, four across, so that a row of tiles is what the lanes need
uniform sampler2D t_B;

out vec4 Y;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    ivec2 tile = here / ivec2(6, 9);
    ivec2 p = here - tile * ivec2(6, 9);
    int group = tile.y * 2 + tile.x;
    vec4 s = vec4(0.0);
    if (group < 3) {
        ivec2 corner = tile * ivec2(12, 9);
        int row = group * 5;
        for (int v = 0; v < 5; v++) {
            int y = p.y + v - 2;
            if (y < 0 || y >= 9) continue;
            for (int u = 0; u < 3; u++) {
                int x = p.x * 2 + u - 1;
                if (x < 0 || x >= 12) continue;
                vec4 w = vec4(
                    texelFetch(t_W, ivec2(u, row + v), 0).r,
                    texelFetch(t_W, ivec2(u + 3, row + v), 0).r,
                    texelFetch(t_W, ivec2(u + 6, row + v), 0).r,
                    texelFetch(t_W, ivec2(u + 9, row + v), 0).r
                );
                s += w * texelFetch(t_X, corner + ivec2(x, y), 0);
            }
        }
        s = clamp(s + texelFetch(t_B, ivec2(group, 0), 0), 0.0, 1.5);
    }
    Y = s;
}
