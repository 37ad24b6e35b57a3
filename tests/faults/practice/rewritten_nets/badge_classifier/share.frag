#version 330 core
// Votes to shares of one: softmax over 4 + 2 lanes.
uniform sampler2D t_X;

out vec4 Y;

void main() {
    vec4 a = texelFetch(t_X, ivec2(0, 0), 0);
    vec2 b = texelFetch(t_X, ivec2(1, 0), 0).xy;
    float most = max(max(max(a.x, a.y), max(a.z, a.w)), max(b.x, b.y));
    vec4 ea = exp(a - most);
    vec2 eb = exp(b - most);
    float total = dot(ea, vec4(1.0)) + eb.x + eb.y;
    Y = (gl_FragCoord.x < 1.0 ? ea : vec4(eb, 0.0, 0.0)) / total;
}
