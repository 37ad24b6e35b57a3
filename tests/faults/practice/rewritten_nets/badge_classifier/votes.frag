#version 330 core
// Six votes from eight means; four votes a texel, the last two lanes stay empty.
uniform sampler2D t_X;
uniform sampler2D t_W;         // a row of two texels for each vote
uniform sampler2D t_B;

out vec4 Y;

float vote(int o) {
    if (o >= 6) return 0.0;
    float s = dot(texelFetch(t_X, ivec2(0), 0), texelFetch(t_W, ivec2(0, o), 0));
    s += dot(texelFetch(t_X, ivec2(1, 0), 0), texelFetch(t_W, ivec2(1, o), 0));
    return s + texelFetch(t_B, ivec2(o / 4, 0), 0)[o % 4];
}

void main() {
    int o = int(gl_FragCoord.x) * 4;
    Y = vec4(vote(o), vote(o + 1), vote(o + 2), vote(o + 3));
}
