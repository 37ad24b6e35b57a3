// Follows a fragment's loops: which of them ended by their own condition or jump, and which one something else cut off.

uniform highp int u_loops_most;

// Whether the output shows the turns of the loop that was cut off, in place of its number.
uniform bool u_loops_turns_asked;

highp int loops_turns = 0;

// The loop that was cut off: once one is, those around it and behind it are too. It is the one that turned longest
// beside its own longest run with an end. 0 for none, else its number from 1 on.
highp float loops_found = 0.0;
highp float loops_found_turns = 0.0;
highp float loops_found_share = 0.0;

// Of the loop at hand, `now` counts its turns; it `is_open` while its condition wants another one. A jump out of it is
// noted in a variable of its own: where a driver cuts off a loop, what only its exits write has not been written.
bool loop_turns(inout highp int now, inout bool is_open, bool is_wanted) {
    is_open = is_wanted;
    now += int(is_wanted);
    loops_turns += int(is_wanted);
    return is_wanted && loops_turns < u_loops_most;
}

void loop_ends(highp float number, highp int now, bool is_open, inout highp int longest) {
    highp float share = float(now) / float(longest + 1);
    if (is_open && share > loops_found_share) {
        loops_found_share = share;
        loops_found = number;
        loops_found_turns = float(now);
    }
    if (!is_open && now > longest) {
        longest = now;
    }
}
