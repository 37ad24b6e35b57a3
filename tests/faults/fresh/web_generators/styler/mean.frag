// instance norm, step 1: the mean of every 15x11 tile
precision highp float;
precision highp sampler2D;

uniform sampler2D u_map;
uniform vec2 u_texel;

const int W = 15;
const int H = 11;

void main() {
    float channel = floor(gl_FragCoord.x);
    vec2 corner = vec2(mod(channel, 3.0) * float(W), floor(channel / 3.0) * float(H));

    float total = 0.0;
    for (int y = 0; y < H; y++) {
        float line = 0.0;
        for (int x = 0; x < W; x++) {
            line += texture2D(u_map, (corner + vec2(x, y) + 0.5) * u_texel).r;
        }
        total += line;
    }
    gl_FragColor = vec4(total / float(W * H));
}
