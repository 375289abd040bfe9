package platform

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/booking/robot"
	"github.com/cabrank/cabrank/simulator/platform/strict"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Limits of one drive.
const (
	driveWithin = 55 * time.Second
	mostTimes   = 20
	mostFollow  = 45 // seconds
	mostStops   = 10
)

// drive is a customer request that the platform is asked to act out.
type drive struct {
	from     string // E.164 digits; "": withheld
	channel  taxi.Feature
	task     robot.Task
	wish     booking.Wish
	settings booking.Settings
	follow   time.Duration
}

// driven is what came of it.
type driven struct {
	Outcome robot.Outcome      `json:"outcome"`
	Offered []robot.Want       `json:"offered"`
	Asked   []booking.Question `json:"asked"`
	Said    []string           `json:"said"`
	Shown   []shown            `json:"shown"`
	Legs    []leg              `json:"legs"`
}

// shown is something that a chat showed.
type shown struct {
	Kind      string   `json:"kind"` // "location" or "text"
	Longitude *float64 `json:"longitude,omitempty"`
	Latitude  *float64 `json:"latitude,omitempty"`
	Text      string   `json:"text,omitempty"`
}

// leg is a call that was placed to somebody.
type leg struct {
	To       string `json:"to"` // "driver", "person" or "user"
	CallerID string `json:"callerId"`
}

// drive acts a customer request out: a robot calls, or writes, and does what the
// request wants. The answer says what it was offered, asked, told and shown.
func (p *Platform) drive(r *request) (reply, error) {
	o, errs, err := jsonBody(r.c)
	if err != nil {
		return reply{}, err
	}
	d := readDrive(o, errs)
	account := p.accountOf("", errs)
	if err := errs.Err(); err != nil {
		return reply{}, err
	}
	d.settings = p.driveSettings(account, d.settings)
	ctx, cancel := r.wait(driveWithin)
	defer cancel()
	var done driven
	if d.channel == booking.FeatureMessaging {
		done, err = p.driveChat(ctx, account, d)
	} else {
		done, err = p.driveCall(ctx, account, d)
	}
	if err != nil {
		return reply{}, err
	}
	return reply{status: http.StatusOK, body: done}, nil
}

// driveSettings are the settings of one drive: how the third party is reached, and
// where a person is, stay the account's.
func (p *Platform) driveSettings(account string, of booking.Settings) booking.Settings {
	s, _ := p.taxiSettings(account)
	s.Features, s.Options, s.SkipDropOff = of.Features, of.Options, of.SkipDropOff
	return s
}

// readDrive reads a request.
func readDrive(o *strict.Object, errs *strict.Errors) drive {
	defer o.Done()
	o.OptionalText("scene", longest)
	d := drive{from: caller(o.OptionalText("from", 40), errs)}
	if o.Bool("withheld", false) {
		d.from = ""
	}
	d.channel = taxi.Feature(o.Choice("channel", string(taxi.FeatureVoice), string(taxi.FeatureVoice), string(booking.FeatureMessaging)))
	d.task.Want = robot.Want(o.Choice("want", "", robot.Wants()...))
	d.wish.Journey = taxi.JourneyID(o.OptionalText("journeyId", 1000))
	d.task.Name = o.OptionalText("name", longest)
	d.wish.Name, d.wish.Category = d.task.Name, o.OptionalText("vehicleCategory", longest)
	d.readTrip(o)
	d.task.Times = o.Int("times", 1, 0, mostTimes)
	d.follow = time.Duration(o.Int("followSeconds", 0, 0, mostFollow)) * time.Second
	d.settings = readDriveSettings(o)
	return d
}

func (d *drive) readTrip(o *strict.Object) {
	if o.Raw("pickup") != nil {
		d.task.Pickup = &taxi.Address{}
		readPickup(o, "pickup", d.task.Pickup)
	}
	if raw := o.Raw("dropoffs"); raw != nil {
		if err := json.Unmarshal(raw, &d.task.Dropoffs); err != nil || len(d.task.Dropoffs) > mostStops {
			o.Add("dropoffs", "wants an array of at most %d addresses", mostStops)
		}
		for i, a := range d.task.Dropoffs {
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
		d.task.At = at.Time
	}
	d.wish.Places, d.wish.Stops = d.task.Places(), d.task.Stops()
}

func readPickup(o *strict.Object, name string, a *taxi.Address) {
	if err := json.Unmarshal(o.Raw(name), a); err != nil || a.Address == "" {
		o.Add(name, "wants an address and a location")
	}
}

// readDriveSettings reads the static settings of one request; everything is on where
// none are given.
func readDriveSettings(o *strict.Object) booking.Settings {
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

// pause waits, by a clock. It reports false if ctx ended first.
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
