#version 330
// Context of the three heads side by side, opened by a gate of the token itself.
uniform sampler2D u_probs;
uniform sampler2D u_heads;
uniform sampler2D u_x;
uniform sampler2D u_Wg;
uniform sampler2D u_bg;

layout(location = 0) out float ctx_out;

const int N = 13, DH = 6, D_IN = 10;

float sigm(float v) { return 0.5 + 0.5 * tanh(0.5 * v); }

void main()
{
    ivec2 px = ivec2(gl_FragCoord.xy);
    int head = px.x / DH;
    int e = px.x - head * DH;
    ivec2 p0 = ivec2(head % 2, head / 2) * N;
    ivec2 v0 = ivec2(1, 1) * ivec2(DH, N);

    float ctx = 0.0;
    for (int k = max(0, px.y - 4); k <= px.y; k++) {
        ctx += texelFetch(u_probs, p0 + ivec2(k, px.y), 0).r * texelFetch(u_heads, v0 + ivec2(e, k), 0).r;
    }

    float gate = texelFetch(u_bg, ivec2(px.x, 0), 0).r;
    for (int i = 0; i < D_IN; i++) {
        gate += texelFetch(u_x, ivec2(i, px.y), 0).r * texelFetch(u_Wg, ivec2(i, px.x), 0).r;
    }
    ctx_out = ctx * sigm(gate);
}
