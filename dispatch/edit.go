package dispatch

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// EditRule says what happens to an edit of one field in one status.
type EditRule string

// The rules.
const (
	EditFree    EditRule = "ok"                 // taken
	EditReprice EditRule = "ok, priced again"   // accepted, and the journey is priced again
	EditKeep    EditRule = "ok, driver if near" // accepted; the driver keeps the job after a small change and loses it after a large one
	EditNear    EditRule = "nearby only"        // a small change is accepted, a large one refused
	EditNever   EditRule = "409"                // refused with edit-not-allowed; in a closed journey journey-closed
)

// EditRow is one field's row of the edit matrix.
type EditRow struct {
	Field string // as in the /book body
	Rules map[taxi.Status]EditRule
}

// EditMatrix says which field may be edited in which status. Decision: the
// interface only says that /book with a journeyId edits. A field that an edit
// repeats unchanged never fails, whatever the status.
func EditMatrix() []EditRow { return editMatrix }

var editMatrix = []EditRow{
	{"name", editRules(EditFree, EditFree, EditFree, EditFree, EditNever)},
	{"phoneNumber", editRules(EditFree, EditFree, EditFree, EditFree, EditNever)},
	{"data", editRules(EditFree, EditFree, EditFree, EditFree, EditNever)},
	{"dropoffs", editRules(EditReprice, EditReprice, EditReprice, EditReprice, EditReprice)},
	{"pickup", editRules(EditReprice, EditKeep, EditNear, EditNever, EditNever)},
	{"pickupTime", editRules(EditReprice, EditKeep, EditNever, EditNever, EditNever)},
	{"vehicleCategory", editRules(EditReprice, EditKeep, EditNever, EditNever, EditNever)},
}

func editRules(early, accepted, enRoute, arrived, pob EditRule) map[taxi.Status]EditRule {
	return map[taxi.Status]EditRule{
		taxi.Held: early, taxi.Waiting: early, taxi.Accepted: accepted, taxi.EnRoute: enRoute,
		taxi.Arrived: arrived, taxi.POB: pob, taxi.Complete: EditNever, taxi.Cancelled: EditNever,
	}
}

// edit applies a /book with a journeyId: all differences to the stored journey, or
// none.
func (tx *txn) edit(now time.Time, r *taxi.BookRequest) (*store.Journey, error) {
	s := tx.service
	user, err := tx.userOf(r)
	if errors.Is(err, store.ErrNotFound) {
		return nil, journeyNotFound()
	}
	if err != nil {
		return nil, err
	}
	j, err := ownedBy(tx, user.UserID, *r.JourneyID)
	if err != nil {
		return nil, err
	}
	if err := mayBook(user); err != nil {
		return nil, err
	}
	if j.Status.Terminal() {
		return nil, withJourney(refuse(taxi.CodeJourneyClosed, "a journey that is over cannot be edited; book a new one"), j)
	}
	c, err := s.checkEdit(now, j, r, tx.clock)
	if err != nil || len(c.edits) == 0 {
		return j, err
	}
	if err := tx.applyEdit(now, j, r, c); err != nil {
		return nil, err
	}
	return tx.holdOrRelease(now, j.JourneyID, c.release)
}

// editPlan has the changes that an edit will make.
type editPlan struct {
	edits   []difference
	at      taxi.Time // when to pick up
	release bool      // the driver who has the job cannot keep it
}

// difference is one field that an edit changes.
type difference struct {
	row   EditRow
	small bool // the driver can keep the job
}

// differences compares a journey with an edit. An omitted optional field does not
// change.
func (s *Service) differences(j *store.Journey, r *taxi.BookRequest, at taxi.Time) []difference {
	moved := metres(*j.Pickup.Location, *r.Pickup.Location)
	allowed := s.policy.KeepDriverMetres
	if j.Status == taxi.EnRoute {
		allowed = s.policy.RerouteMetres
	}
	shift := at.Sub(j.Date.Time).Abs()
	compared := []struct{ differs, small bool }{ // in the order of editMatrix
		{r.Name != j.Passenger.Name, true},
		{r.PhoneNumber.International() != j.Passenger.PhoneNumber, true},
		{len(r.Data) > 0 && !bytes.Equal(r.Data, j.PluginData), true},
		{!slices.EqualFunc(r.Dropoffs, j.Dropoffs, sameAddress), true},
		{!sameAddress(*r.Pickup, *j.Pickup), moved <= allowed},
		{!r.PickupTime.Equal(asked(j)), shift <= s.policy.KeepDriver},
		{r.VehicleCategory != "" && !strings.EqualFold(r.VehicleCategory, j.Category), seats(r.VehicleCategory) == seats(j.Category)},
	}
	var found []difference
	for i, c := range compared {
		if c.differs {
			found = append(found, difference{editMatrix[i], c.small})
		}
	}
	return found
}

// checkEdit looks up the differences between a journey and an edit in the matrix.
func (s *Service) checkEdit(now time.Time, j *store.Journey, r *taxi.BookRequest, clock callersClock) (c editPlan, err error) {
	var refused []taxi.FieldError
	if c.at = j.Date; !r.PickupTime.Equal(asked(j)) {
		if c.at, err = s.pickupTime(now, r.PickupTime, clock); err != nil {
			return c, err
		}
	}
	c.edits = s.differences(j, r, c.at)
	for _, e := range c.edits {
		switch rule := e.row.Rules[j.Status]; {
		case rule == EditNever, rule == EditNear && !e.small:
			refused = append(refused, taxi.FieldError{
				Pointer: "/" + e.row.Field,
				Code:    string(taxi.CodeEditNotAllowed),
				Detail:  "cannot be changed any more at " + string(j.Status),
			})
		case rule == EditKeep && !e.small:
			c.release = true
		}
	}
	if len(refused) > 0 {
		return c, withJourney(refuseFields(refused), j)
	}
	return c, nil
}

// applyEdit writes the edit into the journey and stores it.
func (tx *txn) applyEdit(now time.Time, j *store.Journey, r *taxi.BookRequest, c editPlan) error {
	s := tx.service
	before, err := tx.Peek(j.JourneyID)
	if err != nil {
		return err
	}
	j.Passenger = &taxi.Passenger{Name: r.Name, PhoneNumber: r.PhoneNumber.International()}
	j.Pickup, j.Dropoffs = r.Pickup, r.Dropoffs
	if !r.PickupTime.Equal(asked(j)) {
		j.Date, j.AskedAt = c.at, askedAt(r.PickupTime, c.at)
		u, err := tx.User(j.UserID)
		if err != nil {
			return err
		}
		tx.updateSeenAt(u, now, c.at.Time)
	}
	if len(r.Data) > 0 {
		j.PluginData = r.Data
	}
	if r.VehicleCategory != "" {
		j.Category = r.VehicleCategory
	}
	if slices.ContainsFunc(c.edits, func(e difference) bool { return e.row.Rules[before.Status] != EditFree }) {
		s.reprice(now, j)
	}
	if s.reroute != nil {
		if drive := s.reroute(before, j); drive != nil {
			j.Drive = drive
		}
	}
	tx.put(now, j, before, EventEdit)
	return nil
}

// asked returns the pickup time that the caller requested last.
func asked(j *store.Journey) time.Time {
	if j.AskedAt.IsZero() {
		return j.Date.Time
	}
	return j.AskedAt
}

// reprice sets the price of a journey whose places, time or category changed. With the
// passenger on board the meter runs, so the new price is an estimate.
func (s *Service) reprice(now time.Time, j *store.Journey) {
	price, eta := s.fleet.Quote(now, j)
	if price != nil && j.Status == taxi.POB {
		metered := *price
		metered.Type = taxi.Estimated
		price = &metered
	}
	j.Price = price
	if j.Status == taxi.Waiting {
		j.ETA = eta
	}
}

// holdOrRelease moves an edited journey to the status that fits its new time. A
// driver who cannot keep the job is released first.
func (tx *txn) holdOrRelease(now time.Time, id taxi.JourneyID, release bool) (*store.Journey, error) {
	s := tx.service
	j, err := tx.Journey(id)
	if err == nil && release {
		if err = tx.move(now, j, Step{Event: EventDrop}); err == nil {
			j, err = tx.Journey(id)
		}
	}
	if err != nil {
		return nil, err
	}
	early := tooEarly(facts{Now: now, Journey: j, Policy: &s.policy})
	switch {
	case j.Status == taxi.Waiting && early:
		return j, tx.move(now, j, Step{Event: EventHold})
	case j.Status == taxi.Held && !early:
		return j, tx.move(now, j, Step{Event: EventRelease})
	default:
		return j, nil
	}
}

// sameAddress compares addresses by text and location.
func sameAddress(a, b taxi.Address) bool {
	const hair = 1e-7 // degrees, a centimetre
	return a.Address == b.Address &&
		math.Abs(a.Location.Latitude-b.Location.Latitude) < hair &&
		math.Abs(a.Location.Longitude-b.Location.Longitude) < hair
}

// seats groups vehicle categories into classes. Within a class the driver can keep
// the job.
func seats(category string) string {
	switch strings.ToLower(category) {
	case "mpv", "minibus":
		return "large"
	case "accessible", "wheelchair":
		return "accessible"
	default:
		return "car"
	}
}
