package simulator

import (
	"encoding/json"
	"io"
	"strconv"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// journalVersion is the version of the journal's lines.
const journalVersion = 1

// journal writes what happens as JSON lines with their keys in a fixed order, so
// that equal runs give equal bytes: a header, then one line for each change.
type journal struct {
	out io.Writer
	buf []byte
	seq uint64
	err error // the first failure to write; nothing is written after it
}

// header begins a journal.
func (l *journal) header(seed uint64, start moment, cars int, sweep string) {
	l.buf = append(l.buf[:0], `{"version":`...)
	l.buf = strconv.AppendInt(l.buf, journalVersion, 10)
	l.buf = append(l.buf, `,"seed":`...)
	l.buf = strconv.AppendUint(l.buf, seed, 10)
	l.number("start", int64(start))
	l.number("cars", int64(cars))
	l.text("sweep", sweep)
	l.end()
}

// change writes a change of a journey. Its number is returned, and counts on
// when nothing is written.
func (l *journal) change(t *Transition) {
	l.seq++
	t.Seq = l.seq
	if l.out == nil || l.err != nil {
		return
	}
	l.buf = append(l.buf[:0], `{"at":`...)
	l.buf = strconv.AppendInt(l.buf, t.At.UnixMilli(), 10)
	l.number("seq", int64(t.Seq))
	l.text("journey", string(t.Journey))
	l.text("event", string(t.Event))
	l.status("from", t.From)
	l.status("to", t.To)
	if t.VehicleID != "" {
		l.text("vehicle", t.VehicleID)
	}
	l.end()
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
	if l.out == nil || l.err != nil {
		return
	}
	l.buf = append(l.buf, '}', '\n')
	_, l.err = l.out.Write(l.buf)
}
