#version 300 es
precision highp float;
precision highp sampler2D;

uniform sampler2D u_means;
uniform sampler2D u_weight;  // a row for each neuron
out vec4 o_hidden;

const float BIAS[8] = float[8](0.2862, 0.0257, -0.4248, 0.0034, 0.5824, -0.4539, 0.2448, 0.2276);

float leaky(float x) {
    return x > 0.0 ? x : 0.2 * x;
}

float neuron(int n, vec3 mean) {
    float sum = BIAS[n];
    for (int i = 0; i < 3; i++) {
        sum += texelFetch(u_weight, ivec2(i, n), 0).r * mean[i];
    }
    return leaky(sum);
}

void main() {
    int first = 4 * int(gl_FragCoord.x);
    vec3 mean = texelFetch(u_means, ivec2(0), 0).rgb;
    o_hidden.r = neuron(first, mean);
    o_hidden.g = neuron(first + 1, mean);
    o_hidden.b = neuron(first + 2, mean);
    o_hidden.a = neuron(first + 3, mean);
}
