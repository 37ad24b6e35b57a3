// BT.1886, the transfer curve of video, without the black level.
vec4 linearize(vec4 color) { return vec4(pow(max(color.rgb, 0.0), vec3(2.4)), color.a); }
vec4 delinearize(vec4 color) { return vec4(pow(max(color.rgb, 0.0), vec3(1.0 / 2.4)), color.a); }
