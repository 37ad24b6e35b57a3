#version 330
// How much of channel j goes into channel i of the same head: softmax of cosines, sharpened by the head's temperature.
uniform sampler2D qkv;
uniform sampler2D temperature;
uniform ivec2 tile;
out float y;

const int PER_HEAD = 5;
const int CHANNELS = 10;

ivec2 corner(int c) { return ivec2(c % 6, c / 6) * tile; }

float cosine(int qc, int kc) {
    ivec2 a = corner(qc), b = corner(CHANNELS + kc);
    float both = 0.0, qq = 0.0, kk = 0.0;
    for (int v = 0; v < tile.y; v++) {
        for (int u = 0; u < tile.x; u++) {
            float s = texelFetch(qkv, a + ivec2(u, v), 0).r;
            float t = texelFetch(qkv, b + ivec2(u, v), 0).r;
            both += s * t;
            qq += s * s;
            kk += t * t;
        }
    }
    return both / (max(sqrt(qq), 1e-3) * max(sqrt(kk), 1e-3));
}

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    int head = p.x / PER_HEAD;
    int i = p.y;
    int j = p.x % PER_HEAD;
    float sharp = texelFetch(temperature, ivec2(head, 0), 0).r;

    float e[PER_HEAD];
    float total = 0.0;
    for (int c = 0; c < PER_HEAD; c++) {
        // cosines stay within 1, so that nothing has to be taken off before exp
        e[c] = exp(sharp * cosine(head * PER_HEAD + i, head * PER_HEAD + c));
        total += e[c];
    }
    y = e[j] / total;
}
