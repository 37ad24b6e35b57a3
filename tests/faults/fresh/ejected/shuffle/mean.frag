#version 330 core
// [2, 6, 4, 5] to [2, 6], four elements a texel in two columns

uniform sampler2D tex_in;

layout(location = 0) out vec4 o_color;

float mean_of(int n, int c) {
    float sum = 0.0;
    for (int y = 0; y < 4; y++) {
        float row = 0.0;
        for (int x = 0; x < 5; x++)
            row += texelFetch(tex_in, ivec2(c / 4 * 5 + x, n * 4 + y), 0)[c % 4];
        sum += row;
    }
    return sum / 20.0;
}

void main() {
    int e = (int(gl_FragCoord.y) * 2 + int(gl_FragCoord.x)) * 4;
    o_color = vec4(0.0);
    for (int lane = 0; lane < 4 && e + lane < 12; lane++)
        o_color[lane] = mean_of((e + lane) / 6, (e + lane) % 6);
}
