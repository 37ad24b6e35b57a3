#version 300 es
precision highp float;
precision highp sampler2D;
// 3x3 over three channels in .rgb, six channels out as two blocks side by side, each place brought to length one.

in vec2 uv;
uniform sampler2D image;
uniform sampler2D kernel;  // blocks of 3x3, three a row
uniform sampler2D bias;
uniform vec2 size;
uniform float slope;
out vec4 feature;

float respond(float o, vec2 at) {
    vec2 block = vec2(mod(o, 3.0), floor(o / 3.0)) * 3.0;
    float sum = texture(bias, vec2((o + 0.5) / 6.0, 0.5)).r;
    for (float y = 0.0; y < 3.0; y += 1.0) {
        for (float x = 0.0; x < 3.0; x += 1.0) {
            vec2 from = at + vec2(x, y) - 1.0;
            if (any(lessThan(from, vec2(0.0))) || any(greaterThan(from, size))) continue;
            vec3 k = texture(kernel, (block + vec2(x, y) + 0.5) / vec2(9.0, 6.0)).rgb;
            sum += dot(k, texture(image, from / size).rgb);
        }
    }
    return sum > 0.0 ? sum : slope * sum;
}

void main() {
    float side = floor(uv.x * 2.0);
    vec2 at = vec2(fract(uv.x * 2.0), uv.y) * size;
    vec4 low = vec4(respond(0.0, at), respond(1.0, at), respond(2.0, at), respond(3.0, at));
    vec4 high = vec4(respond(4.0, at), respond(5.0, at), 0.0, 0.0);
    float norm = sqrt(dot(low, low) + dot(high, high) + 1e-3);
    feature = (side < 0.5 ? low : high) / norm;
}
