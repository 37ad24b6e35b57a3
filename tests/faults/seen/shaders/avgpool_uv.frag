#version 300 es
// Average of 3x3 elements, every second one, of those inside the picture; places as shares of the texture.
precision highp float;
precision highp sampler2D;

uniform sampler2D source;
uniform vec2 u_in;      // width and height of a tile of the source
uniform vec2 u_out;     // and of the result

out float mean;

void main() {
    vec2 texel = floor(gl_FragCoord.xy);
    vec2 tile = floor((texel + 0.5) / u_out);
    vec2 center = 2.0 * (texel - tile * u_out);
    vec2 texture_size = vec2(textureSize(source, 0));

    float sum = 0.0;
    float count = 0.0;
    for (float v = -1.0; v <= 1.0; v += 1.0) {
        for (float u = -1.0; u <= 1.0; u += 1.0) {
            vec2 at = center + vec2(u, v);
            if (at.x < 0.0 || at.y < 0.0 || at.x > u_in.x - 1.0 || at.y > u_in.y - 1.0) continue;
            sum += texture(source, (tile * u_in + at + 0.5) / texture_size).r;
            count += 1.0;
        }
    }
    mean = sum / count;
}
