package simulator

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
)

// Recording is a recorded run, see [Options].Record.
type Recording struct {
	Seed        uint64
	Start       time.Time
	Cars        int
	Recipe      json.RawMessage // see [Options].Recipe
	Commands    int             // how many there are
	Transitions int             // changes of journeys, caused by commands and events
	Sum         [32]byte        // SHA-256 of the whole

	header   header
	lines    [][]byte // including their newlines
	commands []command
	refused  map[uint64]bool // numbers of the changes that the store refused
	until    moment          // time of the last line
}

// command is a command, read back.
type command struct {
	dispatch.Command

	people []taxi.EndUser // for opPeople
	order  order          // an order of the operator; nil: another command
	wall   moment
}

// mostRecorded limits the size of a recording, in bytes.
const mostRecorded = 512 << 20

// mostLived limits the time of the world that a recording may span: nearly two real days
// at the highest speed. A recording may come from anybody, and replaying takes real time.
const mostLived = 50 * 365 * 24 * time.Hour

// RecordingText reads one or more recordings, and refuses a text that is longer than any
// run writes: it may come from anybody.
func RecordingText(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, mostRecorded+1))
	if err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	if len(text) > mostRecorded {
		return nil, fmt.Errorf("recording: it is longer than %d MB, and is not read", mostRecorded>>20)
	}
	return text, nil
}

// ErrResumed means that a recording began with a database that was not empty, so that it
// is incomplete and cannot be repeated.
var ErrResumed = errors.New("the run went on from a database that held something already, which the recording does not tell; only a run that began with a new database can be repeated")

// ReadRecording reads and validates a recording. It refuses one that is empty, truncated,
// of another version, or not a recording; the error names the line.
func ReadRecording(r io.Reader) (*Recording, error) {
	text, err := RecordingText(r)
	if err != nil {
		return nil, err
	}
	if len(text) == 0 {
		return nil, errors.New("recording: it is empty")
	}
	rec := &Recording{Sum: sha256.Sum256(text), refused: make(map[uint64]bool)}
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			return nil, fmt.Errorf("recording: line %d is cut off: whoever wrote it was stopped, or the copy is not complete", len(rec.lines)+1)
		}
		line := text[:end+1]
		text = text[end+1:]
		if err := rec.read(line); err != nil {
			return nil, fmt.Errorf("recording: line %d: %w", len(rec.lines)+1, err)
		}
		rec.lines = append(rec.lines, line)
	}
	return rec, nil
}

// read parses the next line.
func (rec *Recording) read(line []byte) error {
	if len(rec.lines) == 0 {
		return rec.readHeader(line)
	}
	var entry struct {
		At      moment
		Seq     int
		Command int
		Write   uint64
	}
	if err := json.Unmarshal(line, &entry); err != nil {
		return fmt.Errorf("it is not a line of a recording: %w", err)
	}
	if entry.At < rec.until {
		return fmt.Errorf("time runs back, from %d to %d", rec.until, entry.At)
	}
	if entry.At-rec.header.Start > moment(mostLived.Milliseconds()) {
		return fmt.Errorf("it is more than %.0f years after the beginning, and a world is not lived through again for so long", mostLived.Hours()/24/365)
	}
	rec.until = entry.At
	switch {
	case entry.Write > 0:
		rec.refused[entry.Write] = true
	case entry.Seq > 0:
		rec.Transitions++
		return follows("change", entry.Seq, rec.Transitions)
	case entry.Command > 0:
		rec.Commands++
		return errors.Join(follows("command", entry.Command, rec.Commands), rec.readCommand(line))
	default:
		return errors.New("it is neither a change nor a command")
	}
	return nil
}

// follows returns an error for a gap in a numbering.
func follows(what string, is, want int) error {
	if is != want {
		return fmt.Errorf("%s %d comes where %d should", what, is, want)
	}
	return nil
}

func (rec *Recording) readHeader(line []byte) error {
	h := &rec.header
	err := json.Unmarshal(line, h)
	switch {
	case err != nil || h.Version < 1 || h.Options == "" && h.Version > 1:
		return errors.New("it does not begin as a recording does")
	case h.Version < recordingVersion:
		return fmt.Errorf("an earlier cabrank wrote version %d, and this one reads version %d: record the run again, or repeat it with the cabrank that recorded it", h.Version, recordingVersion)
	case h.Version > recordingVersion:
		return fmt.Errorf("a newer cabrank wrote version %d; this one reads version %d", h.Version, recordingVersion)
	}
	if err := h.possible(); err != nil {
		return err
	}
	rec.Seed, rec.Start, rec.Cars, rec.Recipe = h.Seed, h.Start.time(), h.Cars, h.Recipe
	rec.until = h.Start
	return nil
}

// possible refuses a header that no world writes: a recording may come from anybody, and
// nothing may be allocated by its numbers before they are validated.
func (h *header) possible() error {
	if h.Cars < 0 || h.Cars > fixtures.FleetSize {
		return fmt.Errorf("it has %d cars, and no world has more than %d", h.Cars, fixtures.FleetSize)
	}
	if year := h.Start.time().Year(); year < 1970 || year > 9999 {
		return errors.New("it begins in a year of no calendar")
	}
	if h.Sweep == "" {
		return nil
	}
	if _, err := utcSchedule(h.Sweep); err != nil {
		return fmt.Errorf("when it looks at its journeys: %w", err)
	}
	return nil
}

func (rec *Recording) readCommand(line []byte) error {
	var c commandLine
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return fmt.Errorf("it is no command: %w", err)
	}
	read := command{wall: c.Wall, Command: dispatch.Command{
		At: c.At.time(), Op: dispatch.Op(c.Op), Key: c.Key, Hash: c.Hash, Fingerprint: c.Fingerprint,
	}}
	if err := read.request(c.Request); err != nil {
		return fmt.Errorf("command %s: %w", c.Op, err)
	}
	rec.commands = append(rec.commands, read)
	return nil
}

// request parses the request of a command.
func (c *command) request(text json.RawMessage) error {
	switch c.Op {
	case dispatch.OpBook:
		c.Book = new(taxi.BookRequest)
		return json.Unmarshal(text, c.Book)
	case dispatch.OpCancel:
		c.Ref = new(taxi.JourneyRef)
		return json.Unmarshal(text, c.Ref)
	case dispatch.OpAdmit:
		var asked taxi.UserRequest
		err := json.Unmarshal(text, &asked)
		c.Phone = asked.PhoneNumber
		return err
	case dispatch.OpSystem:
		c.System = new(taxi.ConfigResponse)
		return json.Unmarshal(text, c.System)
	case opPeople:
		return json.Unmarshal(text, &c.people)
	default:
		var err error
		c.order, err = readOrder(string(c.Op), text)
		return err
	}
}
