#version 330
uniform sampler2D s, z;
out float o;
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    o = texelFetch(s, p, 0).r - texelFetch(z, ivec2(0, p.y), 0).r;
}
