package simulator

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io"
	"log/slog"
	"math"
	"strconv"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// recordingVersion is the version of the lines of a recording. Since version 5, all times
// that a client names are by the client's clock; before, only past ones were.
const recordingVersion = 5

// recorder writes the run of a world as JSON lines with their keys in a fixed order, so
// that equal runs give equal bytes: a header, then a line for each change of a journey,
// each command, and each change that the store could not take. The line of a command
// follows those of the changes that it made.
//
// A recording contains what clients sent, with names and phone numbers, since a run
// cannot be repeated without them. None of it is ever logged, except that the recording
// is incomplete.
type recorder struct {
	out      io.Writer // nil: there is no recording
	log      *slog.Logger
	buf      []byte
	seq      uint64 // of the last change
	commands uint64 // number of commands
	err      error  // the first write error; nothing is written after it

	writes  uint64          // number of changes that the store was asked to make
	refused map[uint64]bool // numbers of the changes to refuse, since the repeated run had them refused
}

// silent reports whether nothing is written.
func (r *recorder) silent() bool { return r.out == nil || r.err != nil }

// header is the first line of a recording: all that is needed to create an identical
// world.
type header struct {
	Version int             `json:"version"`
	Seed    uint64          `json:"seed"`
	Start   moment          `json:"start"` // milliseconds since the Unix epoch, like all times in the recording
	Cars    int             `json:"cars"`
	Sweep   string          `json:"sweep"`
	Options string          `json:"options"`           // a hash of all other relevant options
	Resumed bool            `json:"resumed,omitempty"` // the records were not empty
	Recipe  json.RawMessage `json:"recipe,omitempty"`  // how to create the world again
}

// commandLine is the line of a command.
type commandLine struct {
	At          moment          `json:"at"`
	Command     uint64          `json:"command"` // 1, 2, 3, …
	Op          string          `json:"op"`
	Wall        moment          `json:"wall,omitzero"` // the client's clock, if it was read
	Key         string          `json:"key,omitempty"` // Idempotency-Key
	Hash        digest          `json:"hash,omitzero"` // of the body of the request
	Fingerprint digest          `json:"fingerprint,omitzero"`
	Request     json.RawMessage `json:"request"`
	Journey     taxi.JourneyID  `json:"journey,omitempty"`
	User        taxi.UserID     `json:"user,omitempty"`
	Refused     taxi.Code       `json:"refused,omitempty"`
}

// digest is a SHA-256 sum, written in hexadecimal.
type digest [32]byte

// MarshalText implements [encoding.TextMarshaler].
func (d digest) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, d[:]), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (d *digest) UnmarshalText(text []byte) error {
	if len(text) != hex.EncodedLen(len(d)) {
		return hex.ErrLength
	}
	_, err := hex.Decode(d[:], text)
	return err
}

// line writes a value as one line of JSON. HTML characters are not escaped, so that what
// a caller sent stays unchanged.
func (r *recorder) line(v any) {
	if r.silent() {
		return
	}
	text := bytes.NewBuffer(r.buf[:0])
	e := json.NewEncoder(text)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		r.wrote(0, err)
		return
	}
	r.buf = text.Bytes()
	r.wrote(r.out.Write(r.buf))
}

// wrote handles the result of a write. An error ends the recording, and is logged.
func (r *recorder) wrote(_ int, err error) {
	if r.err = err; err != nil {
		r.log.Error("the recording ends here, it cannot be written", slog.Any("error", err))
	}
}

// command writes a command and numbers it.
func (r *recorder) command(c commandLine) {
	r.commands++
	c.Command = r.commands
	r.line(c)
}

// refusal records that the store refused the n-th change of the world.
func (r *recorder) refusal(at moment, n uint64) {
	if r.silent() {
		return
	}
	r.begin(at)
	r.number("write", int64(n))
	r.text("refused", string(taxi.CodeStorageUnavailable))
	r.end()
}

// change numbers a change of a journey, and writes it with the price if there is a new
// one.
func (r *recorder) change(t *Transition, price *taxi.Price) {
	r.seq++
	t.Seq = r.seq
	if r.silent() {
		return
	}
	r.begin(moment(t.At.UnixMilli()))
	r.number("seq", int64(t.Seq))
	r.text("journey", string(t.Journey))
	r.text("event", string(t.Event))
	r.status("from", t.From)
	r.status("to", t.To)
	if t.VehicleID != "" {
		r.text("vehicle", t.VehicleID)
	}
	if price != nil {
		r.number("pence", int64(math.Round(price.Value*100)))
		r.text("price", string(price.Type))
	}
	r.end()
}

func (r *recorder) begin(at moment) {
	r.buf = append(r.buf[:0], `{"at":`...)
	r.buf = strconv.AppendInt(r.buf, int64(at), 10)
}

func (r *recorder) number(key string, v int64) {
	r.key(key)
	r.buf = strconv.AppendInt(r.buf, v, 10)
}

func (r *recorder) text(key, v string) {
	r.key(key)
	for i := range len(v) {
		if c := v[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			quoted, _ := json.Marshal(v) // encoding a string never fails
			r.buf = append(r.buf, quoted...)
			return
		}
	}
	r.buf = append(r.buf, '"')
	r.buf = append(r.buf, v...)
	r.buf = append(r.buf, '"')
}

// status writes a status; before the booking it is null.
func (r *recorder) status(key string, s taxi.Status) {
	if s != "" {
		r.text(key, string(s))
		return
	}
	r.key(key)
	r.buf = append(r.buf, "null"...)
}

func (r *recorder) key(key string) {
	r.buf = append(r.buf, `,"`...)
	r.buf = append(r.buf, key...)
	r.buf = append(r.buf, `":`...)
}

func (r *recorder) end() {
	r.buf = append(r.buf, '}', '\n')
	r.wrote(r.out.Write(r.buf))
}

// Transition is one change of a journey: a step along the table, or an edit.
type Transition struct {
	Seq       uint64 // 1, 2, 3, … without gaps in one world
	At        time.Time
	Journey   taxi.JourneyID
	Event     dispatch.Event
	From, To  taxi.Status // From is [dispatch.Unbooked] for a new journey
	VehicleID string      // the car that has the journey, or has just lost it; "" if there is none
	Fault     string      // the fault that the booking selected, as in data.simulate.behaviour; "" if none
	Resident  bool        // a resident of the town has just booked it, see [Options].Demand
}

// repetition is what a replay knows about the recorded run.
type repetition struct {
	clientNow func() time.Time
	refused   map[uint64]bool // numbers of the changes that the store refused in that run
}
