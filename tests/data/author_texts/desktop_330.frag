
#version 330 core
uniform sampler2D image;
varying vec2 uv;

void main()
{
    gl_FragColor = texture2D(image, uv) * vec4(1.0, 2.0, 3.0, 4.0);
}
