#version 330
// crisp, pass 5: depth to space, added to the picture enlarged by the hardware

in vec2 pos;
uniform sampler2D sub;
uniform sampler2D image;
uniform float strength;
out vec4 result;

#define sub_size vec2(textureSize(sub, 0))

void main() {
    vec2 f0 = fract(pos * sub_size);
    ivec2 i0 = ivec2(f0 * vec2(2.0));
    float c0 = texture(sub, (vec2(0.5) - f0) / sub_size + pos)[i0.y * 2 + i0.x];
    vec3 soft = texture(image, pos).rgb;
    vec3 sum = soft + strength * vec3(c0);
    result = vec4(clamp(sum, 0.0, 1.0), 1.0);
}
