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
)

// Journal is a run as a world wrote it down, see [Options].Journal.
type Journal struct {
	Seed        uint64
	Start       time.Time
	Cars        int
	Recipe      json.RawMessage // see [Options].Recipe
	Commands    int             // how many callers gave
	Transitions int             // how many changes of journeys came of them, and of what happened by itself
	Sum         [32]byte        // SHA-256 of the whole

	header   header
	lines    [][]byte // with their newlines
	commands []command
	refused  map[uint64]bool // writes that the store did not take
	until    moment          // of the last line
}

// command is a command, read back.
type command struct {
	dispatch.Command

	people []taxi.EndUser // for opPeople
	wall   moment
}

// ErrResumed means that a journal goes on from a database which held something
// already, so that it does not tell the whole story and cannot be repeated.
var ErrResumed = errors.New("the run went on from a database that held something already, which the journal does not tell; only a run that began with a new database can be repeated")

// ReadJournal reads and checks a journal, whole. It refuses one that is empty,
// cut off, written by a newer version, or not a journal; the error names the
// line.
func ReadJournal(r io.Reader) (*Journal, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	if len(text) == 0 {
		return nil, errors.New("journal: it is empty")
	}
	j := &Journal{Sum: sha256.Sum256(text), refused: make(map[uint64]bool)}
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			return nil, fmt.Errorf("journal: line %d is cut off: whoever wrote it was stopped, or the copy is not complete", len(j.lines)+1)
		}
		line := text[:end+1]
		text = text[end+1:]
		if err := j.read(line); err != nil {
			return nil, fmt.Errorf("journal: line %d: %w", len(j.lines)+1, err)
		}
		j.lines = append(j.lines, line)
	}
	return j, nil
}

// read takes in the next line.
func (j *Journal) read(line []byte) error {
	if len(j.lines) == 0 {
		return j.readHeader(line)
	}
	var entry struct {
		At      moment
		Seq     int
		Command int
		Write   uint64
	}
	if err := json.Unmarshal(line, &entry); err != nil {
		return fmt.Errorf("it is not a line of a journal: %w", err)
	}
	if entry.At < j.until {
		return fmt.Errorf("time runs back, from %d to %d", j.until, entry.At)
	}
	j.until = entry.At
	switch {
	case entry.Write > 0:
		j.refused[entry.Write] = true
	case entry.Seq > 0:
		j.Transitions++
		return follows("change", entry.Seq, j.Transitions)
	case entry.Command > 0:
		j.Commands++
		return errors.Join(follows("command", entry.Command, j.Commands), j.readCommand(line))
	default:
		return errors.New("it is neither a change nor a command")
	}
	return nil
}

// follows reports a gap in a numbering.
func follows(what string, is, want int) error {
	if is != want {
		return fmt.Errorf("%s %d comes where %d should", what, is, want)
	}
	return nil
}

func (j *Journal) readHeader(line []byte) error {
	h := &j.header
	err := json.Unmarshal(line, h)
	switch {
	case err != nil || h.Version < 1 || h.Options == "" && h.Version > 1:
		return errors.New("it does not begin as a journal does")
	case h.Version < journalCommands:
		return fmt.Errorf("version %d held no commands, so nothing can be repeated", h.Version)
	case h.Version > journalVersion:
		return fmt.Errorf("a newer cabrank wrote version %d; this one reads up to version %d", h.Version, journalVersion)
	}
	j.Seed, j.Start, j.Cars, j.Recipe = h.Seed, h.Start.time(), h.Cars, h.Recipe
	j.until = h.Start
	return nil
}

func (j *Journal) readCommand(line []byte) error {
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
	j.commands = append(j.commands, read)
	return nil
}

// request reads what was asked.
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
		return errors.New("it is not known here")
	}
}
