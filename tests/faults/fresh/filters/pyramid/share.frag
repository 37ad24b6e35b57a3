#version 330
uniform sampler2D side;
uniform float sharpness;
out vec4 c;
void main() {
  vec4 v = texelFetch(side, ivec2(gl_FragCoord.xy), 0) * sharpness;
  vec2 m = max(v.xy, v.zw);
  vec4 e = exp(v - max(m.x, m.y));
  c = e / dot(e, vec4(1.0));
}
