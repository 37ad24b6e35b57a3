// One of the programs of a texture automaton, as its page glues it together.
precision highp float;
struct Tensor {
    vec2 size;
    vec2 gridSize;
    float depth, depth4;
    vec2 packScaleZero;
};
uniform Tensor u_input;
uniform sampler2D u_input_tex;
uniform Tensor u_output;
uniform float u_angle;
#ifdef SPARSE_UPDATE
uniform sampler2D u_shuffleTex;
uniform vec2 u_shuffleOfs;
#endif

vec4 readUV(Tensor tensor, sampler2D tex, vec2 uv) {
    vec4 v = texture2D(tex, uv);
    vec2 p = tensor.packScaleZero;
    return (v - p.y) * p.x;
}
vec2 getUV(Tensor tensor, vec2 xy, float ch) {
    ch += 0.5;
    float tx = floor(mod(ch, tensor.gridSize.x));
    float ty = floor(ch / tensor.gridSize.x);
    xy = mod(xy, tensor.size);  // the world is a torus
    return (vec2(tx, ty) * tensor.size + xy) / (tensor.gridSize * tensor.size);
}
vec4 readInput(vec2 xy, float ch) {
    return readUV(u_input, u_input_tex, getUV(u_input, xy, ch));
}
vec2 getOutputXY() {
    return mod(gl_FragCoord.xy, u_output.size);
}
float getOutputChannel() {
    vec2 tile = floor(gl_FragCoord.xy / u_output.size);
    return tile.y * u_output.gridSize.x + tile.x;
}
void setOutput(vec4 v) {
    vec2 p = u_output.packScaleZero;
    gl_FragColor = v / p.x + p.y;
}

const mat3 sobelX = mat3(-1.0, 0.0, 1.0, -2.0, 0.0, 2.0, -1.0, 0.0, 1.0) / 8.0;
const mat3 sobelY = mat3(-1.0, -2.0, -1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 1.0) / 8.0;
const mat3 gauss = mat3(1.0, 2.0, 1.0, 2.0, -12.0, 2.0, 1.0, 2.0, 1.0) / 16.0;

vec4 conv3x3(vec2 xy, float ch, mat3 filter) {
    vec4 a = vec4(0.0);
    for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x) {
        vec2 ofs = vec2(float(x - 1), float(y - 1));
        a += filter[y][x] * readInput(xy + ofs, ch);
    }
    return a;
}

void main() {
    vec2 xy = getOutputXY();
    float ch = getOutputChannel();
    if (ch >= u_output.depth4) return;
    float filterBand = floor((ch + 0.5) / u_input.depth4);
    float inputCh = floor(mod(ch + 0.5, u_input.depth4));
    if (filterBand < 0.5) {
        setOutput(readInput(xy, inputCh));
    } else if (filterBand < 2.5) {
        vec4 dx = conv3x3(xy, inputCh, sobelX);
        vec4 dy = conv3x3(xy, inputCh, sobelY);
        float s = sin(u_angle), c = cos(u_angle);
        setOutput(filterBand < 1.5 ? dx * c - dy * s : dx * s + dy * c);
    } else {
        setOutput(conv3x3(xy, inputCh, gauss));
    }
}
