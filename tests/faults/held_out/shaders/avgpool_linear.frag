#version 330 core
// Mean of 2x2 by one filtered sample where four texels meet.

uniform sampler2D u_image;
uniform vec2 u_image_texels;

out float mean;

void main() {
    vec2 corner = floor(gl_FragCoord.xy) * 2.0;
    mean = texture(u_image, (corner + 1.0) / u_image_texels).r;
}
