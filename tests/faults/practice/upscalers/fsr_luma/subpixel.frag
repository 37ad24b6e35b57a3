#version 330
// Sub-band: 8 to 4, 1x1
in vec2 pos;
uniform sampler2D MAPPED0;
uniform sampler2D MAPPED1;
out vec4 sub;
void main() {
    vec4 m0 = texture(MAPPED0, pos);
    vec4 m1 = texture(MAPPED1, pos);
    sub.x = dot(vec4(-0.1487, 0.1577, 0.2598, 0.2577), m0) + dot(vec4(0.4545, -0.0963, 0.136, -0.0916), m1);
    sub.y = dot(vec4(-0.3562, -0.176, 0.034, -0.2288), m0) + dot(vec4(-0.0479, 0.2801, 0.1426, 0.1431), m1);
    sub.z = dot(vec4(0.0863, -0.0438, -0.4669, 0.2479), m0) + dot(vec4(-0.3767, 0.054, -0.0271, 0.0343), m1);
    sub.w = dot(vec4(0.0631, -0.0835, 0.2252, -0.3213), m0) + dot(vec4(0.198, -0.423, 0.2966, -0.1272), m1);
    sub += vec4(0.0551, 0.0169, -0.027, -0.063);
}
