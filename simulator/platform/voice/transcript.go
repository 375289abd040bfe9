package voice

// Line is one thing that was said or done in a call.
type Line struct {
	AtMs  int64    `json:"atMs"` // since the call began
	Party Party    `json:"party"`
	Leg   int      `json:"leg,omitempty"` // 0 the call's own; 1, 2 … those that dials have rung
	Kind  LineKind `json:"kind"`
	Text  string   `json:"text"` // never a whole phone number of somebody who was dialled
}

// LineKind is the kind of a transcript's line.
type LineKind string

// The kinds of lines.
const (
	LineSay    LineKind = "say"    // the platform begins to speak: the words
	LinePlay   LineKind = "play"   // the platform begins to play: the address or the tone
	LinePress  LineKind = "press"  // a party presses a key
	LineSpeech LineKind = "speech" // a party has said something: the words, if known
	LineRing   LineKind = "ring"   // a party's phone rings: whose, as [Target.Label] shows it
	LineAnswer LineKind = "answer" // a party answers; the platform does for an incoming call
	LineBridge LineKind = "bridge" // two legs are connected
	LineHangup LineKind = "hangup" // a party hangs up or is refused: why
)

// Where a transcript stops growing.
const (
	maxLines  = 2000
	maxBytes  = 256 << 10
	lineBytes = 64 // of a line besides its text
)
