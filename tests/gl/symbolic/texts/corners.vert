// the places of neighbours, made for each vertex, as mobile filters have them
attribute vec4 position;
attribute vec2 inputTextureCoordinate;
uniform vec2 texel;
varying vec2 here;
varying vec4 besides;
varying float weights[2];

void main() {
    gl_Position = position;
    here = inputTextureCoordinate;
    besides = vec4(inputTextureCoordinate - vec2(texel.x, 0.0), inputTextureCoordinate + texel.yx * vec2(0.0, 1.0));
    weights[0] = position.x;
    weights[1] = 2.0;
}
