package calling

import (
	"fmt"
	"io"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Timeline prints a journey's life by the world's clock: each new status, and
// where the car is in between.
type Timeline struct {
	W     io.Writer
	Clock func() time.Time // the world's
	Pause time.Duration    // between two lines that only say where the car is

	last taxi.Status
	at   time.Time
}

// Show prints what is new about a journey, if anything is.
func (t *Timeline) Show(j taxi.Journey) error {
	now := t.Clock()
	fresh := j.Status != t.last
	if !fresh && (j.Location == nil || now.Sub(t.at) < t.Pause) {
		return nil
	}
	label := string(j.Status)
	if !fresh {
		label = ""
	}
	t.last, t.at = j.Status, now
	_, err := fmt.Fprintf(t.W, "%s  %-9s  %s\n", now.In(j.Date.Location()).Format("15:04:05"), label, moment(j, fresh))
	return err
}

// moment says what a caller would want to know at this point of a journey.
func moment(j taxi.Journey, fresh bool) string {
	where := ""
	if j.Location != nil {
		where = fmt.Sprintf("at %.5f, %.5f", j.Location.Latitude, j.Location.Longitude)
	}
	if !fresh {
		return where + ", " + etaWords(j)
	}
	switch {
	case j.Status == taxi.Accepted && j.Driver != nil && j.Vehicle != nil:
		return fmt.Sprintf("%s in a %s, %s, %s", j.Driver.Name, j.Vehicle.Description, j.Vehicle.Registration, etaWords(j))
	case j.Status == taxi.Complete && j.Price != nil:
		return priceWords(*j.Price)
	case j.Status == taxi.Arrived:
		return where
	case j.Location != nil && j.ETA != nil:
		return where + ", " + etaWords(j)
	case j.Price != nil && j.ETA != nil:
		return priceWords(*j.Price) + ", a car in about " + etaWords(j)
	case j.Data != nil:
		return string(j.Data.Reason)
	}
	return ""
}
