#version 330
in vec2 pos;
uniform sampler2D MOMENTS;
uniform float epsilon;
out vec4 slope;
void main() {
    vec4 moments = texture(MOMENTS, pos);
    vec2 ratio = moments.xy / (moments.z + epsilon);
    slope = vec4(clamp(ratio, -1.5, 1.5), 0.0, 0.0);
}
