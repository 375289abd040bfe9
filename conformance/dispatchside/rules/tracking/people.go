package tracking

import (
	"fmt"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// judgeDriverNumber judges whether the driver's number differs from the passenger's.
func judgeDriverNumber(x *conformance.Exchange, t *trackedJourney, s *conformance.Findings) {
	driver, passenger := x.Reply().At("driver").At("phoneNumber"), t.booking().At("phoneNumber")
	told, booked := jsonvalue.Digits(driver.Text()), jsonvalue.Digits(passenger.Text())
	if told == "" || booked == "" {
		return
	}
	s.Want("ENR-30", rules.IsOtherNumber(driver.Text(), booked), driver, "string, another number than the passenger's", x)
}

// crewShown is the driver and the vehicle in a /status reply.
type crewShown struct {
	from           *conformance.Exchange
	status         taxi.Status
	driver, car    string
	reads, changes int // pairs of reads within a second, and how many of them showed different crews
}

// trackCrew judges whether the driver and the vehicle stay the same from one read to the next, if both are within a second.
func trackCrew(x *conformance.Exchange, t *trackedJourney, s *conformance.Findings) {
	driver, vehicle := x.Reply().At("driver"), x.Reply().At("vehicle")
	now := crewShown{from: x, status: taxi.Status(x.Reply().At("status").Text()), driver: crewName(driver, "badgeNumber"), car: crewName(vehicle, "registration")}
	was := t.crew
	now.reads, now.changes = was.reads, was.changes
	t.crew = now
	apart := time.Duration(-1)
	if was.from != nil {
		apart = x.Started.Sub(was.from.Ended())
	}
	if was.from != nil && was.from.Epoch != x.Epoch {
		judgeSwapped(x, t, was, s)
	}
	if apart < 0 || was.from.Epoch != x.Epoch || apart > time.Second || was.status != now.status || was.driver == "" && was.car == "" || now.driver == "" && now.car == "" {
		return
	}
	t.crew.reads++
	at := driver
	if was.driver == now.driver {
		at = vehicle
	}
	if was.driver == now.driver && was.car == now.car {
		s.Pass("ENR-31", was.from, x)
		return
	}
	t.crew.changes++
	if t.crew.changes >= 3 && 2*t.crew.changes >= t.crew.reads {
		s.Fail("ENR-31", "read after read shows another driver or vehicle", "those of the read before: "+was.text(), at, was.from, x)
		return
	}
	s.Warn("ENR-31", fmt.Sprintf("a read shows another driver or vehicle than the one %s before", apart.Round(time.Millisecond)), "those of the read before: "+was.text(), at, was.from, x)
}

// judgeSwapped fails a journey that has the driver and vehicle of another one after an aid advanced the other.
func judgeSwapped(x *conformance.Exchange, t *trackedJourney, was crewShown, s *conformance.Findings) {
	now := t.crew
	if t.owner == nil || was.driver == "" || now.driver == "" || now.driver == was.driver {
		return
	}
	for _, other := range t.owner.journeys {
		if c := other.crew; other != t && c.from != nil && c.from.Probe == x.Probe && c.from.ID > was.from.ID && c.text() == now.text() {
			s.Fail("ENR-31", "a journey has the driver and the vehicle of another one that was accepted later", "those of the read before: "+was.text(), x.Reply().At("driver"), was.from, c.from, x)
			return
		}
	}
}

// crewName returns a text that identifies a driver or a vehicle: its name or description, and the member called mark.
func crewName(v jsonvalue.Value, mark string) string {
	if !v.IsObject() {
		return ""
	}
	name := v.At("name").Text() + v.At("description").Text()
	return name + " " + v.At(mark).Text()
}

func (c crewShown) text() string { return c.driver + ", " + c.car }

// judgePassengerNumber judges whether the passenger's number is the one that was booked.
func judgePassengerNumber(x *conformance.Exchange, t *trackedJourney, s *conformance.Findings) {
	phone := x.Reply().At("passenger").At("phoneNumber")
	if sent := jsonvalue.Digits(t.booking().At("phoneNumber").Text()); phone.HasText() && sent != "" && len(t.editsAfterEnd) == 0 {
		rules.JudgeSameNumber(s, "STA-17", phone, sent, t.writes[len(t.writes)-1], x)
	}
}
