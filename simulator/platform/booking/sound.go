package booking

// Sound is what a recogniser of sound knows beside the words.
type Sound struct {
	Witness string   // what a second model has heard that knows nothing of taxis; "": nothing
	Others  []string // what the words may be instead, the likeliest first
	Loud    bool     // there is much noise beside the speech
}

// ear is what is kept of words that were spoken.
type ear struct {
	surely  string // words that the caller is asked about: "Did you say …?"; "": none
	aloud   bool   // the last answer was a sound
	loud    bool   // and there was much noise beside it
	strange bool   // it was not understood, or is asked about
	doubted bool   // the last answer may have been heard wrongly
	slips   slips  // its numbers that may have been

	unsure []Question // the parts of the trip that came of such answers
}
