#version 330 core
// A row a channel, a column a moment. Three moments, none of them later than this one.
uniform sampler2D t_X;
uniform sampler2D t_W;   // a row of three taps for each output and input
uniform sampler2D t_B;

out float Y;

void main() {
    int t = int(gl_FragCoord.x), o = int(gl_FragCoord.y);
    float s = texelFetch(t_B, ivec2(o, 0), 0).r;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            int then = t + k - 2;
            if (then >= 0) s += texelFetch(t_X, ivec2(then, i), 0).r * texelFetch(t_W, ivec2(k, o * 3 + i), 0).r;
        }
    }
    Y = s;
}
