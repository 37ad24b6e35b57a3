float one = 1.0;
#include "circle.glsl"
