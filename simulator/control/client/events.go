package client

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/fault"
)

// longestEvent bounds a line of an event, in bytes: positions of a large fleet are longest.
const longestEvent = 8 << 20

// ErrEnded is the error at the end of events: the server has ended them, or the connection
// broke.
var ErrEnded = errors.New("the events have ended")

// Event is something that happened in a world. One of the pointers is set, but for
// [control.EventMissed], which says that earlier events are no longer stored.
type Event struct {
	ID   uint64 // to go on after; 0: it is not kept
	Name string // such as [control.EventJourney]

	Journey   *control.Change
	Clock     *control.Clock // of [control.EventClock], and of [control.EventWorld]
	Fault     *fault.Event
	Positions *control.Positions
}

// EventQuery says which events are wanted. The zero value is all that happens from now on.
type EventQuery struct {
	Types    []string // such as [control.EventFault]; none: all that are kept
	Since    *uint64  // what has happened after that id is told first; nil: nothing is
	Vehicles bool     // where the cars are, too

	// Every is how often that is told, by the wall, 200 milliseconds to 10 seconds; 0: once
	// a second.
	Every time.Duration
}

// Events tells what happens, until ctx or the loop ends. An error is told last: a
// [*Problem], one of the connection, or [ErrEnded], after which another call may go on by
// Since. What happens before the loop has begun is told only by Since.
func (c *Client) Events(ctx context.Context, q EventQuery) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		resp, err := c.send(ctx, http.MethodGet, at("events")+"?"+q.values().Encode(), nil)
		if err != nil {
			yield(Event{}, err)
			return
		}
		defer resp.Body.Close()
		if err := eachEvent(resp.Body, func(e Event) bool { return yield(e, nil) }); err != nil {
			if ctx.Err() != nil {
				err = ctx.Err()
			}
			yield(Event{}, err)
		}
	}
}

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

// eachEvent reads events until they end, which is an error, or are not wanted any more.
func eachEvent(body io.Reader, wanted func(Event) bool) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, longestEvent)
	var e Event
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			e.ID, _ = strconv.ParseUint(value, 10, 64) // another's number is none
		case "event":
			e.Name = value
		case "data":
			if err := e.read([]byte(value)); err != nil {
				return err
			}
		case "": // the end of an event, or a sign of life
			if e.Name != "" && !wanted(e) {
				return nil
			}
			e = Event{}
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%w: %w", ErrEnded, err)
	}
	return ErrEnded
}

// read reads what an event has. The last one is an error.
func (e *Event) read(data jsontext.Value) error {
	switch e.Name {
	case control.EventJourney:
		return decode(data, &e.Journey)
	case control.EventClock, control.EventWorld:
		return decode(data, &e.Clock)
	case control.EventFault:
		return decode(data, &e.Fault)
	case control.EventVehicles:
		return decode(data, &e.Positions)
	case control.EventEnd:
		var end struct {
			Reason string `json:"reason"`
		}
		if err := decode(data, &end); err != nil {
			return err
		}
		return fmt.Errorf("%w: %s", ErrEnded, end.Reason)
	}
	return nil
}
