#version 330
// Queries and keys by the root of their mean square, each with gains of its own. Three tiles in a row become two.
uniform sampler2D u_heads;
uniform sampler2D u_gain_q;
uniform sampler2D u_gain_k;

layout(location = 0) out float unit_out;

const int N = 13, DH = 6;

void main()
{
    ivec2 px = ivec2(gl_FragCoord.xy);
    int head = (px.y / N) * 2 + px.x / DH;
    ivec2 origin = ivec2((head % 3) * DH, (head / 3) * N + px.y % N);
    int e = px.x % DH;

    float power = 0.0;
    for (int i = 0; i < DH; i++) {
        float v = texelFetch(u_heads, origin + ivec2(i, 0), 0).r;
        power += v * v;
    }
    float rms = sqrt(power / float(DH) + 0.01);
    float gain = head == 3 ? texelFetch(u_gain_k, ivec2(e, 0), 0).r : texelFetch(u_gain_q, ivec2(e, 0), 0).r;
    unit_out = texelFetch(u_heads, origin + ivec2(e, 0), 0).r / rms * gain;
}
