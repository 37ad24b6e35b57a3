#ifdef GL_ES
#ifdef GL_FRAGMENT_PRECISION_HIGH
precision highp float;
precision highp sampler2D;
#else
precision mediump float;
#endif
#endif

uniform sampler2D u_image;
uniform vec2 u_texel;
varying vec2 v_uv;

void main() {
    vec4 sum = texture2D(u_image, v_uv) * 0.5;
    sum += texture2D(u_image, v_uv + vec2(u_texel.x, 0.0)) * 0.25;
    sum += texture2D(u_image, v_uv - vec2(u_texel.x, 0.0)) * 0.25;
    gl_FragColor = sum;
}
