#version 300 es
// Matrix product on 2 x 2 blocks in RGBA.
precision highp float;
precision highp sampler2D;

uniform sampler2D matrixA;
uniform sampler2D matrixB;
uniform sampler2D addend;
const int sharedDim = 5;   // blocks along the inner side

out vec4 setOutput;

void main() {
  ivec2 rc = ivec2(gl_FragCoord.yx);
  vec4 result = vec4(0);
  for (int i = 0; i < sharedDim; i++) {
    vec4 a = texelFetch(matrixA, ivec2(i, rc.x), 0);
    vec4 b = texelFetch(matrixB, ivec2(rc.y, i), 0);
    result += (a.rrbb * b.rgrg) + (a.ggaa * b.baba);
  }
  vec4 c = texelFetch(addend, ivec2(rc.y, 0), 0);
  setOutput = result + c.rgrg;
}
