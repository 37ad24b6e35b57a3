#version 330
// cap * tanh(scale * q.k / cap) - slope * distance, for the last five keys of each query
uniform sampler2D u_unit;

layout(location = 0) out float score_out;

const int N = 13, DH = 6, BAND = 5;
const float SCALE = 0.8;
const float CAP = 2.5;

void main()
{
    ivec2 px = ivec2(gl_FragCoord.xy);
    int head = (px.y / N) * 2 + px.x / N;
    int q = px.y % N;
    int k = px.x % N;
    int ago = q - k;

    if (head > 2) {
        score_out = 0.0;
    } else if (ago < 0 || ago >= BAND) {
        score_out = -10000.0;
    } else {
        ivec2 q_at = ivec2((head & 1) * DH, (head >> 1) * N + q);
        ivec2 k_at = ivec2(DH, N + k);
        float d = 0.0;
        for (int i = 0; i < DH; i++) {
            d += texelFetch(u_unit, ivec2(q_at.x + i, q_at.y), 0).r * texelFetch(u_unit, ivec2(k_at.x + i, k_at.y), 0).r;
        }
        float capped = CAP * tanh(d * SCALE / CAP);
        float slope = exp2(-8.0 * float(head + 1) / 3.0);
        score_out = capped - slope * float(ago);
    }
}
