package client

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/fault"
)

// longestEvent limits the size of a line, in bytes: the positions of a large fleet are
// longest.
const longestEvent = 8 << 20

// ErrEnded means that the server has ended the stream, or that the connection broke.
var ErrEnded = errors.New("the events have ended")

// Event is an event of a world. One of the pointers is set, except for
// [control.EventMissed], which means that earlier events are no longer stored.
type Event struct {
	ID   uint64 // for [EventQuery].Since; 0: the server does not store the event
	Name string // such as [control.EventJourney]

	Journey   *control.Change
	Clock     *control.Clock // for [control.EventClock] and [control.EventWorld]
	Fault     *fault.Event
	Positions *control.Positions
}

// EventQuery selects events. The zero value selects all new events.
type EventQuery struct {
	Types    []string // such as [control.EventFault]; empty: all that the server stores
	Since    *uint64  // begin with the stored events after this id; nil: with new events
	Vehicles bool     // include the positions of the cars

	// Every is the interval of positions in real time, 200 milliseconds to 10 seconds; 0:
	// once a second.
	Every time.Duration
}

// Events yields events until ctx or the loop ends. The last item may be an error: a
// [*Problem], one of the connection, or [ErrEnded]; then another call can continue with
// Since. Events before the loop begins are only included with Since.
func (c *Client) Events(ctx context.Context, q EventQuery) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		body, err := c.Open(ctx, control.Listen, q.values())
		if err != nil {
			yield(Event{}, err)
			return
		}
		defer body.Close()
		err = ReadEvents(body, func(id uint64, name string, data []byte) error {
			e := Event{ID: id, Name: name}
			if err := e.read(data); err != nil || yield(e, nil) {
				return err
			}
			return errEnough
		})
		switch {
		case err == errEnough: //nolint:errorlint // it is not wrapped
		case ctx.Err() != nil:
			yield(Event{}, ctx.Err())
		default:
			yield(Event{}, err)
		}
	}
}

// errEnough makes ReadEvents end when the loop over the events ends.
var errEnough = errors.New("enough")

func (q EventQuery) values() url.Values {
	values := url.Values{}
	if len(q.Types) > 0 {
		values.Set("types", strings.Join(q.Types, ","))
	}
	if q.Since != nil {
		values.Set("since", strconv.FormatUint(*q.Since, 10))
	}
	if q.Vehicles {
		values.Set("vehicles", "1")
	}
	if q.Every != 0 {
		values.Set("every", q.Every.String())
	}
	return values
}

// ReadEvents reads server-sent events until each returns an error, which is returned, or
// the stream ends: then it is [ErrEnded]. The id is 0 if an event has none.
func ReadEvents(stream io.Reader, each func(id uint64, name string, data []byte) error) error {
	lines := bufio.NewScanner(stream)
	lines.Buffer(nil, longestEvent)
	id, event, data := uint64(0), "", []byte(nil)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			id, _ = strconv.ParseUint(value, 10, 64) // ids of other servers count as none
		case "event":
			event = value
		case "data":
			data = []byte(value)
		case "": // the end of an event, or a keep-alive
			if event != "" {
				if err := each(id, event, data); err != nil {
					return err
				}
			}
			id, event, data = 0, "", nil
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%w: %w", ErrEnded, err)
	}
	return ErrEnded
}

// read decodes the data of an event by its name. For the last event of a stream it returns an error.
func (e *Event) read(data jsontext.Value) error {
	switch e.Name {
	case control.EventJourney:
		return Decode(data, &e.Journey)
	case control.EventClock, control.EventWorld:
		return Decode(data, &e.Clock)
	case control.EventFault:
		return Decode(data, &e.Fault)
	case control.EventVehicles:
		return Decode(data, &e.Positions)
	case control.EventEnd:
		var end struct {
			Reason string `json:"reason"`
		}
		if err := Decode(data, &end); err != nil {
			return err
		}
		return fmt.Errorf("%w: %s", ErrEnded, end.Reason)
	}
	return nil
}
