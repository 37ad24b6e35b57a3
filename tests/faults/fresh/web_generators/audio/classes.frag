precision highp float;
precision highp int;
precision highp sampler2D;

out vec4 color;

uniform sampler2D state;
uniform sampler2D head;
uniform sampler2D bias;

const int CLASSES = 5;
const int UNITS = 8;

float score(int k) {
    float s = texelFetch(bias, ivec2(k, 0), 0).r;
    for (int i = 0; i < UNITS; ++i) {
        s += texelFetch(state, ivec2(i, 0), 0).r * texelFetch(head, ivec2(i, k), 0).r;
    }
    return s;
}

void main() {
    float scores[CLASSES];
    float top = -1e30;
    for (int k = 0; k < CLASSES; ++k) {
        scores[k] = score(k);
        top = max(top, scores[k]);
    }
    float total = 0.0;
    for (int k = 0; k < CLASSES; ++k) {
        total += exp(scores[k] - top);
    }
    color = vec4(exp(scores[int(gl_FragCoord.x)] - top) / total, 0.0, 0.0, 1.0);
}
