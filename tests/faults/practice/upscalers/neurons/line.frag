#version 330
// Five neurons vote on the line between two, each as loud as its softmax says
in vec2 pos;
uniform sampler2D LUMA;
uniform sampler2D STATS;
uniform vec2 LUMA_pt;
out float line;
#define at(x, y) texture(LUMA, pos + vec2(x, y) * LUMA_pt).r
#define NEURON(a, bias_a, b, bias_b) \
    loud = exp((a) * scale + bias_a); \
    vote = (b) * scale + bias_b; \
    votes += loud * vote / (1.0 + abs(vote)); \
    total += loud;
void main() {
    vec2 stats = texture(STATS, pos).xy;
    float scale = 1.0 / stats.y;
    vec4 top = vec4(at(-1.0, 0.0), at(0.0, 0.0), at(1.0, 0.0), at(2.0, 0.0));
    vec4 bottom = vec4(at(-1.0, 1.0), at(0.0, 1.0), at(1.0, 1.0), at(2.0, 1.0));
    float loud, vote, votes = 0.0, total = 0.0;
    NEURON(dot(top, vec4(-0.9853, 0.2137, -0.0055, 0.4012)) + dot(bottom, vec4(-1.0614, 0.8862, 0.075, -0.9367)), 0.0914,
           dot(top, vec4(0.1954, 0.5425, -0.4684, -0.7269)) + dot(bottom, vec4(-1.5935, 0.7773, 0.0133, 0.1646)), 0.4338)
    NEURON(dot(top, vec4(-1.0866, -1.0453, -0.5741, 0.9485)) + dot(bottom, vec4(0.7156, -0.4352, -0.4373, 1.5437)), -0.312,
           dot(top, vec4(-0.6269, 0.9812, 0.7546, -0.0975)) + dot(bottom, vec4(-0.4447, -0.2854, -0.6389, 0.0213)), 0.0307)
    NEURON(dot(top, vec4(0.7222, -0.6427, -0.1198, -0.3442)) + dot(bottom, vec4(0.1212, 0.7033, -0.2199, 0.2954)), 0.2251,
           dot(top, vec4(-0.4929, 0.4684, -0.2876, -0.2832)) + dot(bottom, vec4(1.2298, -0.5806, -1.2543, 0.293)), 0.098)
    NEURON(dot(top, vec4(0.4546, 0.6268, -0.5043, -0.1774)) + dot(bottom, vec4(1.5779, -0.1488, 0.0239, 0.3528)), 0.2822,
           dot(top, vec4(-1.6623, 0.2115, 0.7854, 0.0561)) + dot(bottom, vec4(0.0074, -1.6405, 0.4442, 0.317)), 0.3409)
    NEURON(dot(top, vec4(-0.4618, -0.3118, 1.3426, 1.0372)) + dot(bottom, vec4(-0.8827, 0.0521, -1.0315, -1.2254)), -0.5853,
           dot(top, vec4(-0.9376, 1.5305, -0.9792, -1.3434)) + dot(bottom, vec4(-1.4488, 0.0208, 0.2703, 0.3528)), 0.2473)
    line = stats.x + 5.0 * votes / total * stats.y;
}
