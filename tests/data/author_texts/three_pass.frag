precision highp float;
precision highp sampler2D;
uniform sampler2D tDiffuse;
varying vec2 vUv;

void main() {
    gl_FragColor = texture2D( tDiffuse, vUv ) * 3.0;
}
