#version 330
// How much each feature counts: means squeezed to four numbers, and back to six.

uniform sampler2D s_mean;

layout(location = 0) out vec4 o_weight;

const mat4 squeezeFirst = mat4(0.62552, 0.07729, 0.49989, -0.41369, -1.07443, 0.11879, 0.00172, -0.18652, 0.3523, -0.35464, 0.16866, 0.1563, -0.20418, -0.81109, -0.47988, 0.27618);
const mat4 squeezeRest = mat4(-0.96801, 0.80978, 0.19239, -0.03354, 0.49876, -0.03876, -0.05896, -0.71647, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
const vec4 squeezeBias = vec4(0.45212, 0.14541, -0.4019, -0.10678);
const mat4 exciteFirst = mat4(0.20809, 1.22571, -1.65737, 0.39937, -0.40694, 0.50942, -0.14923, 0.65632, 0.27065, -2.57504, -0.18242, -0.4017, 0.30868, -0.61662, 0.53346, -0.57063);
const vec4 exciteFirstBias = vec4(0.36707, 0.45852, -0.31042, 0.25362);
const mat4 exciteRest = mat4(0.14925, -0.25875, 0.0, 0.0, -0.32861, -0.29379, 0.0, 0.0, -0.46112, 0.24897, 0.0, 0.0, 0.83163, -0.20038, 0.0, 0.0);
const vec4 exciteRestBias = vec4(0.30116, 0.17181, 0.0, 0.0);

vec4 hardSigmoid(vec4 value) {
    return clamp(0.2 * value + 0.5, 0.0, 1.0);
}

vec4 squeezed() {
    vec4 first = texelFetch(s_mean, ivec2(0, 0), 0);
    vec4 rest = texelFetch(s_mean, ivec2(1, 0), 0);
    return max(squeezeFirst * first + squeezeRest * rest + squeezeBias, 0.0);
}

void main() {
    vec4 hidden = squeezed();
    if (gl_FragCoord.x < 1.0) {
        o_weight = hardSigmoid(exciteFirst * hidden + exciteFirstBias);
    } else {
        o_weight = hardSigmoid(exciteRest * hidden + exciteRestBias);
    }
}
