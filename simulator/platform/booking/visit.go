package booking

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// Customer is who makes a request.
type Customer struct {
	Account string
	Call    string       // of the phone call, if it is one
	Number  taxi.E164    // "": withheld
	Channel taxi.Feature // taxi.FeatureVoice or FeatureMessaging

	// Settings are used in place of the account's, where they are given.
	Settings *Settings

	Wish *Wish // what is known beforehand of what they want, or nil
}

// Wish is what a channel knows beforehand of what a customer wants, as an app does
// in which a form was filled in.
type Wish struct {
	Journey  taxi.JourneyID // the booking that it is about; /user need not list it
	Name     string         // of the passenger; "": the user's own
	Category string         // of the vehicle
	Places   []Place        // to choose from, in place of those that the customer has
	Stops    []taxi.Address // on the way to the drop-off
}

// Visit is one customer request: what the third party says of this customer now,
// and what is done for them. It is not safe for concurrent use.
type Visit struct {
	Customer

	Standing Standing
	User     operations.User
	Journeys []operations.Journey // that are active, as a fresh /status has them, soonest first
	Unread   int                  // active journeys that /status could not read
	ETA      *taxi.ETA            // of a taxi now, in general

	desk     *Desk
	settings Settings
	allowed  allowed
	zone     *time.Location
	party    *operations.Client
	guard    *spoken.Guard
	read     map[operations.ID]reading // lately, by /status
	speaker  *spoken.Speaker           // to the customer, in their language and without their numbers
}

// Standing is how a customer stands with the third party.
type Standing string

// The standings of customers.
const (
	StandingDown     Standing = "down"     // the third party cannot be asked, or takes no bookings
	StandingOff      Standing = "off"      // the channel is switched off
	StandingBarred   Standing = "barred"   // BLACKLISTED
	StandingDisabled Standing = "disabled" // DISABLED
	StandingWithheld Standing = "withheld" // no number: nothing can be booked for it
	StandingUnknown  Standing = "unknown"  // the third party does not know the number
	StandingKnown    Standing = "known"
)

// Limits of a step: the caller hears nothing meanwhile.
const (
	openWithin = 6 * time.Second // a call is answered by then
	stepWithin = 9 * time.Second // less than a turn may take

	// The first step opens the request and then reads the journeys: both fit into
	// one turn, or the call ends before the caller hears why.
	beginWithin = 8 * time.Second
)

// Open begins a customer request: it asks /config, then /user, then reads the
// active journeys. What went wrong is in the Standing.
func (d *Desk) Open(ctx context.Context, c Customer) *Visit {
	ctx, cancel := context.WithTimeout(ctx, openWithin)
	defer cancel()
	v := d.visit(c)
	v.Standing = v.open(ctx)
	v.speak()
	return v
}

func (v *Visit) open(ctx context.Context) Standing {
	if v.party == nil {
		return StandingDown
	}
	config, err := v.party.Config(ctx, v.settings.data())
	if err != nil || closed(config.Status) {
		return StandingDown
	}
	v.ETA = config.ETA
	v.allow(config.Data)
	if v.Number == "" {
		return v.unless(StandingWithheld)
	}
	if err := v.identify(ctx); err != nil {
		return StandingDown
	}
	switch {
	case v.User.Status == taxi.Blacklisted:
		return StandingBarred
	case v.User.Status == taxi.Disabled:
		return StandingDisabled
	case v.User.Ref == "":
		return v.unless(StandingUnknown)
	}
	return v.unless(StandingKnown)
}

// about leaves the one booking that a request is about, whether it is listed or not.
func about(active []operations.Journey, id operations.ID) []operations.Journey {
	for _, j := range active {
		if j.Ref.Text() == id.Text() {
			return []operations.Journey{j}
		}
	}
	return []operations.Journey{{Ref: id}}
}

// unless returns a standing unless the customer's channel is switched off.
func (v *Visit) unless(s Standing) Standing {
	if !v.allowed.channel(v.Channel) {
		return StandingOff
	}
	return s
}

// identify asks who the customer is.
func (v *Visit) identify(ctx context.Context) error {
	user, err := v.party.User(ctx, v.Number)
	if err != nil {
		return err
	}
	v.User = user
	if w := v.Wish; w != nil && w.Journey != "" {
		v.User.Active = about(user.Active, operations.StringID(string(w.Journey)))
	}
	v.guard.Add(user.PhoneNumber)
	for _, j := range user.Active {
		v.guard.AddJourney(j.Journey)
	}
	v.allow(user.Data)
	return nil
}

// allow puts what a third party returned in place of the static settings, field
// by field. What it says of one user goes before what it says to everybody.
func (v *Visit) allow(data *taxi.Settings) {
	if data == nil {
		return
	}
	v.allowed.Settings = v.allowed.Overlay(*data)
	var language string
	if json.Unmarshal(data.Other["language"], &language) == nil && language != "" {
		v.settings.Language = language
	}
}

// closed reports whether the words of a third party say that it takes no
// bookings. The interface leaves the words open, so all others are taken as up.
func closed(s taxi.SystemStatus) bool {
	switch taxi.SystemStatus(strings.ToUpper(string(s))) {
	case taxi.SystemClosed, taxi.SystemMaintenance, "DOWN", "OFFLINE", "UNAVAILABLE":
		return true
	}
	return false
}

// speak makes the speaker, now that the language is known.
func (v *Visit) speak() {
	v.speaker = v.desk.prompts(v.settings).Speaker(v.settings.Language, spoken.SpeakerOptions{
		Zone: v.zone, Now: v.desk.opts.Callers, Guard: v.guard,
	})
}

// say says a prompt as the customer's channel does: spoken, or written. short
// leaves all but the choices out.
func (v *Visit) say(id spoken.PromptID, slots spoken.Slots, short bool) []string {
	switch {
	case v.Channel == FeatureMessaging:
		return v.speaker.Write(id, slots)
	case short:
		return v.speaker.Short(id, slots)
	}
	return v.speaker.Say(id, slots)
}

// SkipDropOff reports whether the customer is not to be asked where to.
func (v *Visit) SkipDropOff() bool { return v.allowed.skipDropOff() }

// Places are where the customer may go: where they went lately, then the firm's
// places.
func (v *Visit) Places() []Place {
	if v.Wish != nil && len(v.Wish.Places) > 0 {
		return v.Wish.Places
	}
	own := v.desk.recent(v.Account, v.Number)
	return append(own[:len(own):len(own)], v.settings.Places...)
}

// within bounds a step with the third party.
func (v *Visit) within(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, stepWithin)
}
