#version 460
uniform sampler2D image;
uniform sampler2D other;
varying vec2 uv;

void main()
{
    vec4 a = texture2D(image, uv);
    vec4 b = texture2DLod(other, uv, 0.0);
    gl_FragData[0] = fma(a, b, vec4(0.5));
}
