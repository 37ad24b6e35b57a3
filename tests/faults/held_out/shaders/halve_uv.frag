#version 300 es
// Every second pixel of every second row.
precision highp float;
precision highp sampler2D;

uniform sampler2D picture;

out float kept;

void main() {
    vec2 texels = vec2(textureSize(picture, 0));
    vec2 corner = (gl_FragCoord.xy - 0.5) * 2.0;
    kept = texture(picture, (corner + 0.75) / texels).r;
}
