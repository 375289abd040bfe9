package conformance

// Clause is one requirement of the interface, or one thing that it says, and
// what the suite makes of it: it is tested, or left out for a reason, or open.
type Clause struct {
	Section   string   `json:"section"`
	Text      string   `json:"text"`
	Checks    []string `json:"checks,omitempty"`    // that test it
	Excluded  string   `json:"excluded,omitempty"`  // why none does
	Ambiguity string   `json:"ambiguity,omitempty"` // the [Ambiguity] that it leaves
}

// Ambiguity is a question that the interface leaves open. Every reading is
// accepted: what a server does is recorded, and never failed.
type Ambiguity struct {
	ID       string   `json:"id"`       // "A1"; keeps its meaning
	Question string   `json:"question"` // what the interface does not say, or says in two ways
	Accepted string   `json:"accepted"` // how this suite reads it
	Checks   []string `json:"checks"`   // where it shows
}
