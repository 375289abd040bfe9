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

// Customer identifies the customer of a request.
type Customer struct {
	Account string
	Call    string       // id of the phone call, if it is one
	Number  taxi.E164    // "": withheld
	Channel taxi.Feature // taxi.FeatureVoice or FeatureMessaging

	// Settings replace the account's; may be nil.
	Settings *Settings

	Wish *Wish // what is known beforehand, or nil
}

// Wish is what a channel knows beforehand of what a customer wants, for example an app
// with a completed form.
type Wish struct {
	Journey  taxi.JourneyID // the booking that it is about, which /user need not list
	Name     string         // of the passenger; "": the user's own
	Category string         // of the vehicle
	Places   []Place        // the places to choose from, instead of the customer's
	Stops    []taxi.Address // before the drop-off
}

// Visit is one customer request: the third party's data about this customer, and the
// actions for them. It is not safe for concurrent use.
type Visit struct {
	Customer

	Standing Standing
	User     operations.User
	Journeys []operations.Journey // active journeys as read by /status, soonest first
	Unread   int                  // number of active journeys that /status could not read
	ETA      *taxi.ETA            // of a taxi now, from /config

	desk     *Desk
	settings Settings
	allowed  allowed
	zone     *time.Location
	party    *operations.Client
	guard    *spoken.Guard
	read     map[operations.ID]reading // recent results of /status
	speaker  *spoken.Speaker           // writes prompts in the customer's language, without the customer's number
}

// Standing is a customer's standing with the third party.
type Standing string

// The standings.
const (
	StandingDown     Standing = "down"     // the third party is unavailable, or accepts no bookings
	StandingOff      Standing = "off"      // the channel is switched off
	StandingBarred   Standing = "barred"   // BLACKLISTED
	StandingDisabled Standing = "disabled" // DISABLED
	StandingWithheld Standing = "withheld" // no number: nothing can be booked for it
	StandingUnknown  Standing = "unknown"  // the third party does not know the number
	StandingKnown    Standing = "known"
)

// Limits of a step, during which the caller hears nothing.
const (
	openWithin = 6 * time.Second // a call must be answered by then
	stepWithin = 9 * time.Second // less than the time limit of a turn

	// The first step opens the request and then reads the journeys: both must fit into
	// one turn, or the call ends before the caller hears the reason.
	beginWithin = 8 * time.Second
)

// Open begins a customer request: it calls /config, then /user, then reads the active
// journeys. Errors are reported by the Standing.
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

// about returns only the booking that the request names, even if /user did not list it.
func about(active []operations.Journey, id operations.ID) []operations.Journey {
	for _, j := range active {
		if j.Ref.Text() == id.Text() {
			return []operations.Journey{j}
		}
	}
	return []operations.Journey{{Ref: id}}
}

// unless returns the standing s, or StandingOff if the customer's channel is switched off.
func (v *Visit) unless(s Standing) Standing {
	if !v.allowed.channel(v.Channel) {
		return StandingOff
	}
	return s
}

// identify looks up the customer with /user.
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

// allow overrides the static settings by those that a third party returned, member by
// member. Those of a user take precedence over those of /config.
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

// closed reports whether a status of /config means that no bookings are accepted. The
// interface leaves the values open, so unknown ones count as open.
func closed(s taxi.SystemStatus) bool {
	switch taxi.SystemStatus(strings.ToUpper(string(s))) {
	case taxi.SystemClosed, taxi.SystemMaintenance, "DOWN", "OFFLINE", "UNAVAILABLE":
		return true
	}
	return false
}

// speak sets the speaker for the customer's language.
func (v *Visit) speak() {
	v.speaker = v.desk.prompts(v.settings).Speaker(v.settings.Language, spoken.SpeakerOptions{
		Zone: v.zone, Now: v.desk.opts.Callers, Guard: v.guard,
	})
}

// say returns a prompt in the form of the customer's channel: spoken, or written. short
// keeps only the choices.
func (v *Visit) say(id spoken.PromptID, slots spoken.Slots, short bool) []string {
	switch {
	case v.Channel == FeatureMessaging:
		return v.speaker.Write(id, slots)
	case short:
		return v.speaker.Short(id, slots)
	}
	return v.speaker.Say(id, slots)
}

// skipDropOff reports whether the customer is not asked for a drop-off.
func (v *Visit) skipDropOff() bool { return v.allowed.skipDropOff() }

// places returns possible destinations: the customer's recent places, then the firm's.
func (v *Visit) places() []Place {
	if v.Wish != nil && len(v.Wish.Places) > 0 {
		return v.Wish.Places
	}
	own := v.desk.recent(v.Account, v.Number)
	return append(own[:len(own):len(own)], v.settings.Places...)
}

// within limits the duration of a step with the third party.
func (v *Visit) within(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, stepWithin)
}
