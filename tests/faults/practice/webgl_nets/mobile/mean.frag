#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// one pixel for every tile: its mean

uniform sampler2D image;
uniform ivec2 tileSize;
layout(location = 0) out vec4 color;

void main() {
    ivec2 corner = ivec2(gl_FragCoord.xy) * tileSize;
    vec4 sum = vec4(0.0);
    for (int y = 0; y < tileSize.y; y++) {
        for (int x = 0; x < tileSize.x; x++) {
            sum += texelFetch(image, corner + ivec2(x, y), 0);
        }
    }
    color = sum / float(tileSize.x * tileSize.y);
}
