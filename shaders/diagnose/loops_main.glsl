// Calls the author's main, and writes which loop was cut off: LOOPS_WRITTEN gives every output the value `found`.

#undef main
void main() {
    authors_main();
    highp float found = u_loops_turns_asked ? loops_found_turns : loops_found;
    LOOPS_WRITTEN
}
