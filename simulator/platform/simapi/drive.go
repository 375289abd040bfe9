package simapi

import (
	"context"
	"net/http"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/booking/robot"
	"github.com/cabrank/cabrank/simulator/platform/rest"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// driveWithin limits one drive.
const driveWithin = 55 * time.Second

// drive is a parsed request for a simulated customer.
type drive struct {
	robot.Task

	channel  taxi.Feature
	settings booking.Settings
	follow   time.Duration
}

// drive handles a customer request: a simulated customer calls or writes, and pursues the request. The response
// contains what that customer was offered, asked, told and shown.
func (p *API) drive(r *rest.Request) (rest.Reply, error) {
	members, err := r.Members()
	if err != nil {
		return rest.Reply{}, err
	}
	errs := &api.Errors{}
	d, account := readDrive(errs, members), p.accountOf("", errs)
	if err := errs.Err(); err != nil {
		return rest.Reply{}, err
	}
	d.settings = p.settingsOf(account, d.settings)
	ctx, cancel := r.Wait(driveWithin)
	defer cancel()
	act := p.driveCall
	if d.channel == booking.FeatureMessaging {
		act = p.driveChat
	}
	done, err := act(ctx, account, d)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.Reply{Status: http.StatusOK, Body: done}, nil
}

// settingsOf returns the settings of one drive; the third party and the destination of
// calls for a person are those of the account.
func (p *API) settingsOf(account string, of booking.Settings) booking.Settings {
	s, _ := p.Taxi.Settings(account)
	s.Features, s.Options, s.SkipDropOff = of.Features, of.Options, of.SkipDropOff
	return s
}

// driveBody is the body of a request.
type driveBody struct {
	Scene    string         `json:"scene" limit:"0..256"`
	From     string         `json:"from" limit:"0..40"`
	Withheld bool           `json:"withheld"`
	Channel  string         `json:"channel" oneOf:"voice,messaging"`
	Want     string         `json:"want" limit:"required 1..64"`
	Journey  string         `json:"journeyId" limit:"0..1000"`
	Name     string         `json:"name" limit:"0..256"`
	Category string         `json:"vehicleCategory" limit:"0..256"`
	Pickup   *taxi.Address  `json:"pickup"`
	Dropoffs []taxi.Address `json:"dropoffs" limit:"0..10"`
	At       string         `json:"pickupTime" limit:"0..64"`
	Times    int            `json:"times" limit:"0..20"`
	Follow   int            `json:"followSeconds" limit:"0..45"`
	Settings *driveSettings `json:"settings"`
}

// driveSettings are the static settings of one request; by default all are on.
type driveSettings struct {
	Features    []taxi.Feature `json:"features" limit:"0..50"`
	Options     []taxi.Option  `json:"options" limit:"0..50"`
	SkipDropOff bool           `json:"skipDropOff"`
}

// readDrive parses a request.
func readDrive(errs *api.Errors, members api.Members) drive {
	b := driveBody{Channel: string(taxi.FeatureVoice), Times: 1}
	errs.Take("", members, &b)
	errs.Unknown("", members)
	d := drive{channel: taxi.Feature(b.Channel), follow: time.Duration(b.Follow) * time.Second, settings: booking.Defaults("")}
	d.Task = robot.Task{
		From: callerOf(b.From, errs), Want: robot.Want(errs.Choice("/want", b.Want, robot.Wants()...)), Journey: taxi.JourneyID(b.Journey),
		Name: b.Name, Category: b.Category, Pickup: b.Pickup, Dropoffs: b.Dropoffs, Times: b.Times,
	}
	if b.Withheld {
		d.From = ""
	}
	if b.Pickup != nil && b.Pickup.Address == "" {
		errs.Add("/pickup", "wants an address and a location")
	}
	for i, a := range b.Dropoffs {
		if a.Address == "" {
			errs.Add(api.Element("/dropoffs", i), "wants an address")
		}
	}
	if b.At != "" {
		at, err := taxi.ParseTime(b.At)
		if err != nil {
			errs.Add("/pickupTime", "%s", err)
		}
		d.At = at.Time
	}
	if s := b.Settings; s != nil {
		d.settings.SkipDropOff = s.SkipDropOff
		if s.Features != nil {
			d.settings.Features = s.Features
		}
		if s.Options != nil {
			d.settings.Options = s.Options
		}
	}
	return d
}

// pause waits for d by a clock. It reports false if ctx ended first.
func pause(ctx context.Context, clock voice.Clock, d time.Duration) bool {
	due := make(chan struct{})
	t := clock.AfterFunc(d, func() { close(due) })
	defer t.Stop()
	select {
	case <-due:
		return true
	case <-ctx.Done():
		return false
	}
}
