#version 330
// row: anchor, cell row, cell column; column: x y w h objectness classes
uniform sampler2D HEAD;
uniform float stride;
uniform vec2 anchors[3];
out float r;

#define FIELDS (5 + CLASSES)
#define SIGMOID(v) (1.0 / (1.0 + exp(-(v))))
#define T(c) texelFetch(HEAD, ivec2(((c) % COLS) * GW + cx, ((c) / COLS) * GH + cy), 0).r

void main() {
    int field = int(gl_FragCoord.x), row = int(gl_FragCoord.y);
    int a = row / (GW * GH), cy = row / GW % GH, cx = row % GW;
    float s = SIGMOID(T(a * FIELDS + field));
    switch (field) {
    case 0: r = (2.0 * s - 0.5 + float(cx)) * stride; break;
    case 1: r = (2.0 * s - 0.5 + float(cy)) * stride; break;
    case 2: r = 4.0 * s * s * anchors[a].x; break;
    case 3: r = 4.0 * s * s * anchors[a].y; break;
    default: r = s;
    }
}
