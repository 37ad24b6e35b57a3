// sin x
float sine(float x) {
    return sine_of_turns(quarter_turns(x));
}
