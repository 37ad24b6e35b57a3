#version 330
// crisp, pass 3: 1x1 convolution of both signs of feat1 and feat2, 16 -> 4

in vec2 pos;
uniform sampler2D feat1;
uniform sampler2D feat2;
out vec4 result;

#define g_0 (max(texture(feat1, pos), 0.0))
#define g_1 (max(-texture(feat1, pos), 0.0))
#define g_2 (max(texture(feat2, pos), 0.0))
#define g_3 (max(-texture(feat2, pos), 0.0))

vec4 hook() {
    vec4 result = mat4(0.4330, 0.1033, -0.0055, 0.4152, -0.0914, -0.2164, 0.4760, 0.3746, -0.1037, -1.0083, 0.4491, 0.2388, -0.4741, -1.4338, -0.8397, -0.7608) * g_0;
    result += mat4(-0.1873, -0.0229, -0.0832, 0.2334, -0.3891, 0.0193, 0.5550, -0.3010, -0.2143, 0.4797, 0.2106, -0.9432, 0.8792, 0.1950, -0.4033, 0.6428) * g_1;
    result += mat4(-0.4468, -0.0957, -0.1850, 0.0105, -0.0910, 0.5191, -0.4211, -0.6357, -0.3437, 0.6971, 0.1374, 0.1354, 0.5325, -0.2530, -0.5135, 0.1868) * g_2;
    result += mat4(-0.3754, 0.3780, 0.4946, 0.0910, -0.3340, 0.4841, 0.3453, 0.6018, 0.1572, -0.2973, 0.6783, -0.4304, 0.6717, 0.2329, 0.4374, 0.3728) * g_3;
    result += vec4(-0.1413, 0.0757, 0.1023, -0.0675);
    return result;
}

void main() {
    result = hook();
}
