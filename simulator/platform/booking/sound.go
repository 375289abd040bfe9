package booking

// Sound is what a speech recogniser reports besides the words.
type Sound struct {
	Witness string   // what a second model has heard that knows nothing of taxis; "": nothing
	Others  []string // what the words may be instead, the likeliest first
	Loud    bool     // there is much noise beside the speech
}

// ear stores what a session knows about the reliability of spoken answers.
type ear struct {
	surely  string // words that the caller is asked about: "Did you say …?"; "": none
	aloud   bool   // the last answer was a sound
	loud    bool   // and there was much noise beside it
	strange bool   // it was not understood, or is asked about
	doubted bool   // the last answer may have been heard wrongly
	slips   slips  // its numbers that may have been

	unsure []Question // the parts of the trip that came of such answers
}
