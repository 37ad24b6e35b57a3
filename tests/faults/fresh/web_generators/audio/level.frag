precision highp float;
precision highp sampler2D;

in vec2 uv;
out vec4 color;

uniform sampler2D mel;
uniform sampler2D mean;
uniform sampler2D inv;
uniform vec2 texel;
uniform float rows;
uniform float floorLevel;

void main() {
    vec2 at = (floor(uv / texel) + 0.5) * texel;
    float energy = texture(mel, at).r;
    float db = log(energy + floorLevel);
    vec2 row = vec2(0.5, (floor(at.y * rows) + 0.5) / rows);
    color = vec4((db - texture(mean, row).r) * texture(inv, row).r, 0.0, 0.0, 1.0);
}
