package simapi

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/booking/robot"
	"github.com/cabrank/cabrank/simulator/platform/rest"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Limits of one drive.
const (
	driveWithin = 55 * time.Second
	mostTimes   = 20
	mostFollow  = 45 // seconds
	mostStops   = 10
)

// drive is a customer request for a robot.
type drive struct {
	robot.Task

	channel  taxi.Feature
	settings booking.Settings
	follow   time.Duration
}

// drive performs a customer request: a robot calls, or writes, and does what the request
// wants. The response contains what the robot was offered, asked, told and shown.
func (p *API) drive(r *rest.Request) (rest.Reply, error) {
	var d drive
	var account string
	err := r.Read(func(o *api.Object, errs *api.Errors) {
		d, account = readDrive(o, errs), p.accountOf("", errs)
	})
	if err != nil {
		return rest.Reply{}, err
	}
	d.settings = p.driveSettings(account, d.settings)
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

// driveSettings returns the settings of one drive; the third party and the destination of
// calls for a person are those of the account.
func (p *API) driveSettings(account string, of booking.Settings) booking.Settings {
	s, _ := p.Taxi.Settings(account)
	s.Features, s.Options, s.SkipDropOff = of.Features, of.Options, of.SkipDropOff
	return s
}

// readDrive parses a request.
func readDrive(o *api.Object, errs *api.Errors) drive {
	o.OptionalText("scene", api.Longest)
	d := drive{Task: robot.Task{From: callerOf(o.OptionalText("from", 40), errs)}}
	if o.Bool("withheld", false) {
		d.From = ""
	}
	d.channel = taxi.Feature(o.Choice("channel", string(taxi.FeatureVoice), string(taxi.FeatureVoice), string(booking.FeatureMessaging)))
	d.Want = robot.Want(o.Choice("want", "", robot.Wants()...))
	d.Journey = taxi.JourneyID(o.OptionalText("journeyId", 1000))
	d.Name, d.Category = o.OptionalText("name", api.Longest), o.OptionalText("vehicleCategory", api.Longest)
	d.readTrip(o)
	d.Times = o.Int("times", 1, 0, mostTimes)
	d.follow = time.Duration(o.Int("followSeconds", 0, 0, mostFollow)) * time.Second
	d.settings = readDriveSettings(o)
	return d
}

func (d *drive) readTrip(o *api.Object) {
	if o.Raw("pickup") != nil {
		d.Pickup = &taxi.Address{}
		readPickup(o, "pickup", d.Pickup)
	}
	if raw := o.Raw("dropoffs"); raw != nil {
		if err := json.Unmarshal(raw, &d.Dropoffs); err != nil || len(d.Dropoffs) > mostStops {
			o.Add("dropoffs", "wants an array of at most %d addresses", mostStops)
		}
		for i, a := range d.Dropoffs {
			if a.Address == "" {
				o.Add("dropoffs", "element %d wants an address", i)
			}
		}
	}
	if text := o.OptionalText("pickupTime", 64); text != "" {
		at, err := taxi.ParseTime(text)
		if err != nil {
			o.Add("pickupTime", "%s", err)
		}
		d.At = at.Time
	}
}

func readPickup(o *api.Object, name string, a *taxi.Address) {
	if err := json.Unmarshal(o.Raw(name), a); err != nil || a.Address == "" {
		o.Add(name, "wants an address and a location")
	}
}

// readDriveSettings parses the static settings of one request; by default all are on.
func readDriveSettings(o *api.Object) booking.Settings {
	of := booking.Defaults("")
	s := o.Object("settings")
	if s == nil {
		return of
	}
	defer s.Done()
	if s.Raw("features") != nil {
		of.Features = words[taxi.Feature](s, "features")
	}
	if s.Raw("options") != nil {
		of.Options = words[taxi.Option](s, "options")
	}
	of.SkipDropOff = s.Bool("skipDropOff", false)
	return of
}

// pause waits for d by a clock. It returns false if ctx ended first.
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
