#version 330 core
// ReLU on the way in, then four outputs.
uniform sampler2D t_X;
uniform sampler2D t_W;
uniform sampler2D t_B;

out float Y;

float heard(int t, int i) { return max(texelFetch(t_X, ivec2(t, i), 0).r, 0.0); }

void main() {
    int t = int(gl_FragCoord.x), o = int(gl_FragCoord.y);
    Y = texelFetch(t_B, ivec2(o, 0), 0).r
        + heard(t, 0) * texelFetch(t_W, ivec2(0, o), 0).r
        + heard(t, 1) * texelFetch(t_W, ivec2(1, o), 0).r
        + heard(t, 2) * texelFetch(t_W, ivec2(2, o), 0).r
        + heard(t, 3) * texelFetch(t_W, ivec2(3, o), 0).r
        + heard(t, 4) * texelFetch(t_W, ivec2(4, o), 0).r
        + heard(t, 5) * texelFetch(t_W, ivec2(5, o), 0).r;
}
