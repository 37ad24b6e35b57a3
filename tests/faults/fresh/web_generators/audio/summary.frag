precision highp float;
precision highp sampler2D;

out vec4 color;

uniform sampler2D signal;
uniform vec2 size;

void main() {
    float y = gl_FragCoord.x / size.y;
    float total = 0.0;
    for (float x = 0.5; x < size.x; x += 1.0) {
        total += texture(signal, vec2(x / size.x, y)).r;
    }
    color = vec4(total / size.x, 0.0, 0.0, 1.0);
}
