package simulator

import (
	"fmt"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// orders holds the settings of orders for the future, and the step of the current order.
type orders struct {
	commanded   *commanded        // nil: there is none
	nextScripts []NextScriptOrder // for future bookings, in order
}

// NextScriptOrder sets what the driver of the next booking will do, from the first moment
// of the journey. Several such orders are used in turn. Bookings of a town's residents
// use none.
type NextScriptOrder struct {
	Phone taxi.E164    `json:"phone,omitempty"`             // of the passenger; left out: any booking
	Steps []ScriptStep `json:"steps" schema:"maxItems: 32"` // empty: the booking progresses normally, and uses up this order
}

// commanded is the step of the current order, and its result.
type commanded struct {
	forced bool
	to     taxi.Status // for [dispatch.EventForce]
	err    error
}

// Span is a length of time, written as "1m30s" in JSON.
type Span time.Duration

// MarshalText implements [encoding.TextMarshaler].
func (s Span) MarshalText() ([]byte, error) { return []byte(time.Duration(s).String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (s *Span) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	*s = Span(d)
	return err
}

// ScriptStep is an action of a driver. Exactly one of To, Drop and Hold is set.
type ScriptStep struct {
	After Span           `json:"after" schema:"optional: true"` // since the previous step, at most 2160h
	To    taxi.Status    `json:"to,omitempty"`                  // the next status, one legal transition away
	Event dispatch.Event `json:"event,omitempty"`               // which of several transitions
	Drop  bool           `json:"drop,omitempty"`                // the driver gives the job back
	Hold  bool           `json:"hold,omitempty"`                // the journey is held from then on; only in the last step
	Force bool           `json:"force,omitempty"`
}

func (s *ScriptStep) after() time.Duration { return time.Duration(s.After) }

// Standing counts the settings that orders have made for the future. A world that is
// reopened has the changes that orders made to journeys and users; it has these settings
// only if they were stored, see [Keeper].
type Standing struct {
	Held     int `json:"held"`     // held journeys
	Scripted int `json:"scripted"` // journeys whose driver follows a script
	Scripts  int `json:"scripts"`  // scripts that wait for a booking
	OffDuty  int `json:"offDuty"`  // cars that an order has put off duty
}

// Standing counts the settings for the future.
func (w *World) Standing() Standing {
	_, leave := w.Enter()
	defer leave()
	s := Standing{Scripts: len(w.nextScripts)}
	for i := range w.jobs.all {
		j := &w.jobs.all[i]
		if j.born == 0 || j.aside == nil {
			continue
		}
		if j.aside.held {
			s.Held++
		}
		if len(j.aside.script) > 0 {
			s.Scripted++
		}
	}
	for i := range w.fleet.cars {
		if w.fleet.cars[i].grounded {
			s.OffDuty++
		}
	}
	return s
}

// String describes the settings; "" if there are none.
func (s Standing) String() string {
	var all []string
	for _, part := range []struct {
		count     int
		one, many string
	}{
		{s.Held, "journey held", "journeys held"},
		{s.Scripted, "journey with a script", "journeys with a script"},
		{s.Scripts, "script for a booking to come", "scripts for bookings to come"},
		{s.OffDuty, "car put off duty", "cars put off duty"},
	} {
		switch part.count {
		case 0:
		case 1:
			all = append(all, "1 "+part.one)
		default:
			all = append(all, fmt.Sprintf("%d %s", part.count, part.many))
		}
	}
	return strings.Join(all, ", ")
}
