// Says where the log begins: in the fragment of one texel.

uniform highp ivec2 u_trace_texel;

void trace_begin() {
    trace_here = ivec2(gl_FragCoord.xy) == u_trace_texel;
    trace_at = trace_here ? 0u : u_trace_room;
    trace_on = trace_here && u_trace_first == 0u;
}
