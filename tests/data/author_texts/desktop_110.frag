#version 110
uniform sampler2D image;
uniform vec2 texel;
varying vec2 uv;

void main()
{
    vec4 here = texture2D(image, uv);
    vec4 above = texture2D(image, uv - vec2(0.0, texel.y));
    gl_FragColor = max(here, above);
}
