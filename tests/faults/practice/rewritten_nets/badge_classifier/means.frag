#version 330 core
// The mean of each picture, row by row.
uniform sampler2D t_X;

out vec4 Y;

const int WIDE = 11;
const int HIGH = 10;

vec4 line(int group, int y) {
    vec4 s = vec4(0.0);
    for (int x = 0; x < WIDE; x++) s += texelFetch(t_X, ivec2(group * WIDE + x, y), 0);
    return s;
}

void main() {
    int group = int(gl_FragCoord.x);
    vec4 total = vec4(0.0);
    for (int y = 0; y < HIGH; y++) total += line(group, y);
    Y = total / float(WIDE * HIGH);
}
