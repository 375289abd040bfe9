package simulator

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io"
	"log/slog"
	"math"
	"strconv"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// journalVersion is the version of the journal's lines: 2 since they hold the
// commands, 3 since they hold the prices. Of a run that was written down as
// version 2 the prices are not known: it is repeated, and compared, as that.
const (
	journalVersion  = 3
	journalCommands = 2
	journalPrices   = 3
)

// journal writes what happens as JSON lines with their keys in a fixed order, so
// that equal runs give equal bytes: a header, then a line for each change of a
// journey, each command, and each change that the store could not take. The line
// of a command follows those of the changes that it made.
//
// It holds what callers sent, their names and numbers too, since a run cannot be
// repeated without. Nothing of it is ever logged, but that it ends early.
type journal struct {
	out      io.Writer // nil: nothing is written
	log      *slog.Logger
	version  int
	buf      []byte
	seq      uint64 // of the last change
	commands uint64 // how many there were
	err      error  // the first failure to write; nothing is written after it
}

// silent reports whether lines need not be made.
func (l *journal) silent() bool { return l.out == nil || l.err != nil }

// header is a journal's first line: all that a world like this one is made from.
type header struct {
	Version int             `json:"version"`
	Seed    uint64          `json:"seed"`
	Start   moment          `json:"start"` // milliseconds since the Unix epoch, as all times here
	Cars    int             `json:"cars"`
	Sweep   string          `json:"sweep"`
	Options string          `json:"options"`           // a hash of all other options that matter
	Resumed bool            `json:"resumed,omitempty"` // the records held something already
	Recipe  json.RawMessage `json:"recipe,omitempty"`  // how whoever made the world would make it again
}

// commandLine is the line of a command.
type commandLine struct {
	At          moment          `json:"at"`
	Command     uint64          `json:"command"` // 1, 2, 3, …
	Op          string          `json:"op"`
	Wall        moment          `json:"wall,omitzero"` // what the callers' clock showed, where that mattered
	Key         string          `json:"key,omitempty"` // Idempotency-Key
	Hash        digest          `json:"hash,omitzero"` // of the body that came with it
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

// line writes a value as one line of JSON. The characters that HTML minds are
// left as they are, so that what a caller sent stays byte for byte.
func (l *journal) line(v any) {
	if l.silent() {
		return
	}
	text := bytes.NewBuffer(l.buf[:0])
	e := json.NewEncoder(text)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		l.wrote(0, err)
		return
	}
	l.buf = text.Bytes()
	l.wrote(l.out.Write(l.buf))
}

// wrote notes how a write went. A failure ends the journal, and is told then.
func (l *journal) wrote(_ int, err error) {
	if l.err = err; err != nil {
		l.log.Error("the journal ends here, it cannot be written", slog.Any("error", err))
	}
}

// command writes a command and numbers it.
func (l *journal) command(c commandLine) {
	l.commands++
	c.Command = l.commands
	l.line(c)
}

// refusal says that the store did not take the n-th write of the world.
func (l *journal) refusal(at moment, n uint64) {
	if l.silent() {
		return
	}
	l.begin(at)
	l.number("write", int64(n))
	l.text("refused", string(taxi.CodeStorageUnavailable))
	l.end()
}

// change writes a change of a journey, with the price if it made one. It numbers
// the change, also when nothing is written.
func (l *journal) change(t *Transition, price *taxi.Price) {
	l.seq++
	t.Seq = l.seq
	if l.silent() {
		return
	}
	l.begin(moment(t.At.UnixMilli()))
	l.number("seq", int64(t.Seq))
	l.text("journey", string(t.Journey))
	l.text("event", string(t.Event))
	l.status("from", t.From)
	l.status("to", t.To)
	if t.VehicleID != "" {
		l.text("vehicle", t.VehicleID)
	}
	if price != nil && l.version >= journalPrices {
		l.number("pence", int64(math.Round(price.Value*100)))
		l.text("price", string(price.Type))
	}
	l.end()
}

func (l *journal) begin(at moment) {
	l.buf = append(l.buf[:0], `{"at":`...)
	l.buf = strconv.AppendInt(l.buf, int64(at), 10)
}

func (l *journal) number(key string, v int64) {
	l.key(key)
	l.buf = strconv.AppendInt(l.buf, v, 10)
}

func (l *journal) text(key, v string) {
	l.key(key)
	for i := range len(v) {
		if c := v[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			quoted, _ := json.Marshal(v) // a string always encodes
			l.buf = append(l.buf, quoted...)
			return
		}
	}
	l.buf = append(l.buf, '"')
	l.buf = append(l.buf, v...)
	l.buf = append(l.buf, '"')
}

// status writes a status; that of a journey before it is booked is null.
func (l *journal) status(key string, s taxi.Status) {
	if s != "" {
		l.text(key, string(s))
		return
	}
	l.key(key)
	l.buf = append(l.buf, "null"...)
}

func (l *journal) key(key string) {
	l.buf = append(l.buf, `,"`...)
	l.buf = append(l.buf, key...)
	l.buf = append(l.buf, `":`...)
}

func (l *journal) end() {
	l.buf = append(l.buf, '}', '\n')
	l.wrote(l.out.Write(l.buf))
}
