#version 330 core
// Convolution 4x4 of stride 2 and a leaky ReLU; a row of a kernel is one dot product.

uniform sampler2D u_source;
uniform sampler2D u_filter;
uniform sampler2D u_offset;

const vec2 IN = vec2(12.0, 10.0);
const vec2 OUT = vec2(6.0, 5.0);
const vec2 IN_GRID = vec2(2.0, 2.0);
const vec2 FILTER_TEXELS = vec2(24.0, 16.0);

out float y;

vec2 slot(float index, float columns) {
    float row = floor((index + 0.5) / columns);
    return vec2(index - row * columns, row);
}

float source(vec2 corner, vec2 at) {
    vec2 inside = step(vec2(0.0), at) * step(at, IN - 1.0);
    return inside.x * inside.y * texture(u_source, (corner + at + 0.5) / (IN * IN_GRID)).r;
}

float weight(vec2 at) {
    return texture(u_filter, (at + 0.5) / FILTER_TEXELS).r;
}

void main() {
    vec2 tile = floor(gl_FragCoord.xy / OUT);
    vec2 pixel = floor(gl_FragCoord.xy - tile * OUT);
    float feature = tile.y * 3.0 + tile.x;

    float total = 0.0;
    for (float channel = 0.0; channel < 3.0; channel++) {
        vec2 corner = slot(channel, 2.0) * IN;
        vec2 kernel = slot(feature, 3.0) * 8.0 + slot(channel, 2.0) * 4.0;
        for (float row = 0.0; row < 4.0; row++) {
            vec2 at = pixel * 2.0 - 1.0 + vec2(0.0, row);
            vec2 k = kernel + vec2(0.0, row);
            vec4 x;
            vec4 w;
            for (int i = 0; i < 4; i++) {
                x[i] = source(corner, at + vec2(i, 0));
                w[i] = weight(k + vec2(i, 0));
            }
            total += dot(x, w);
        }
    }
    total += texture(u_offset, vec2((feature + 0.5) / 5.0, 0.5)).r;
    y = mix(total, 0.2 * total, float(total < 0.0));
}
