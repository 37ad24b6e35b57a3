precision highp float;
precision highp sampler2D;
uniform sampler2D inputImageTexture;
varying vec2 here;
varying vec4 besides;
varying float weights[2];

void main() {
    vec4 sum = texture2D(inputImageTexture, here) * weights[1];
    sum -= texture2D(inputImageTexture, besides.xy);
    sum -= texture2D(inputImageTexture, besides.zw) * weights[0];
    gl_FragColor = sum;
}
