package conformance

// Clause is one requirement or statement of the interface, and how the suite
// treats it: it is tested, excluded for a reason, or ambiguous.
type Clause struct {
	Section   string   `json:"section"`
	Text      string   `json:"text"`
	Checks    []string `json:"checks,omitempty"`    // ids of the checks that test it
	Excluded  string   `json:"excluded,omitempty"`  // why no check tests it
	Ambiguity string   `json:"ambiguity,omitempty"` // the [Ambiguity] that it leaves
}

// Ambiguity is a question that the interface leaves open. Every reading is
// accepted: what a server does is recorded, and never failed.
type Ambiguity struct {
	ID       string   `json:"id"`       // "A1"; keeps its meaning
	Question string   `json:"question"` // what the interface does not say, or says in two ways
	Accepted string   `json:"accepted"` // how this suite reads it
	Checks   []string `json:"checks"`   // ids of the checks that record it
}
