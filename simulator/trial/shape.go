package trial

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// checkShape checks an answer by the contract: its media type, that all fields are known,
// and that the required ones are there. It decodes the answer.
func (a *answer) checkShape(path string) error {
	if a.status != http.StatusOK {
		if err := a.read(taxi.ProblemContentType, &a.problem); err != nil {
			return err
		}
		p := &a.problem
		if p.Status != a.status || p.Type != "/problems/"+string(p.Code) || p.Title == "" || p.Instance == "" {
			return errors.New("it is not a complete problem document")
		}
		return nil
	}
	switch path {
	case taxi.PathConfig:
		return a.read(jsonType, new(taxi.ConfigResponse))
	case taxi.PathUser:
		if err := a.read(jsonType, &a.user); err != nil {
			return err
		}
		for _, j := range a.user.ActiveBookings {
			if err := checkFields(j); err != nil || j.Status.Terminal() {
				return fmt.Errorf("active journey %s at %s: %w", j.JourneyID, j.Status, err)
			}
		}
		return nil
	default:
		if err := a.read(jsonType, &a.journey); err != nil {
			return err
		}
		return checkFields(a.journey)
	}
}

const jsonType = "application/json"

// read decodes the body, which may hold only what its type knows.
func (a *answer) read(contentType string, into any) error {
	if got := a.header.Get("Content-Type"); got != contentType {
		return fmt.Errorf("its Content-Type is %q", got)
	}
	return json.Unmarshal(a.body, into, json.RejectUnknownMembers(true))
}

// checkFields returns an error for a missing field, or for one that the status hides.
func checkFields(j taxi.Journey) error {
	switch {
	case j.JourneyID == "", !j.Status.Known():
		return errors.New("it has no id or status")
	case j.Date.IsZero(), j.Pickup == nil, len(j.Dropoffs) == 0, j.Passenger == nil:
		return errors.New("it lacks a required field")
	}
	has := dispatch.Fields(j.Status)
	charged := j.Status == taxi.Cancelled && j.Price != nil && j.Data != nil && j.Data.Charge != nil
	for _, field := range []struct {
		name      string
		is, wants bool
	}{
		{"eta", j.ETA != nil, has.ETA},
		{"vehicle", j.Vehicle != nil, has.Crew},
		{"driver", j.Driver != nil, has.Crew},
		{"location", j.Location != nil, has.Location},
		{"price", j.Price != nil, has.Price || charged},
	} {
		if field.is != field.wants {
			return fmt.Errorf("at %s its %s is there: %t", j.Status, field.name, field.is)
		}
	}
	return nil
}
