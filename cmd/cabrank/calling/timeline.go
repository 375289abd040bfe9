package calling

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Timeline prints the course of a journey with times of the world's clock: each new
// status, and the car's position in between. Times are in this machine's time zone.
type Timeline struct {
	W        io.Writer
	Clock    func() time.Time // of the world
	Pause    time.Duration    // minimum time between two lines that only show a position
	Coloured bool
	Where    func(taxi.Point) string // names the position of a car; nil: its coordinates are printed
	InPlace  bool                    // a line that only shows a position replaces the previous one, in a terminal

	last  taxi.Status
	at    time.Time
	moved bool // the last line only shows a position
}

// lineAbove moves a terminal's cursor to the previous line and clears that line.
const lineAbove = "\x1b[1A\r\x1b[K"

// Show prints a line if the status is new, or if the car has a position and Pause is over; otherwise nothing.
func (t *Timeline) Show(j taxi.Journey) error {
	now := t.Clock()
	fresh := j.Status != t.last
	if !fresh && (j.Location == nil || now.Sub(t.at) < t.Pause) {
		return nil
	}
	label := statusWord(j.Status, t.Coloured)
	if !fresh {
		label = statusWord("", false)
	}
	if !fresh && t.moved && t.InPlace {
		if _, err := io.WriteString(cli.Raw(t.W), lineAbove); err != nil {
			return err
		}
	}
	t.last, t.at, t.moved = j.Status, now, !fresh
	line := fmt.Sprintf("%s  %s  %s", now.Local().Format(time.TimeOnly), label, cli.Printable(t.moment(j, fresh)))
	_, err := fmt.Fprintln(t.W, strings.TrimRight(line, " "))
	return err
}

// moment returns what a passenger wants to know now, such as the car or the ETA; fresh means that the status is new.
func (t *Timeline) moment(j taxi.Journey, fresh bool) string {
	var known []string
	add := func(words string) { known = append(known, words) }
	if fresh && j.Status == taxi.Accepted && j.Driver != nil && j.Vehicle != nil {
		add(fmt.Sprintf("%s in a %s, %s", j.Driver.Name, j.Vehicle.Description, j.Vehicle.Registration))
	} else if j.Location != nil && j.Status != taxi.Complete {
		add(t.where(*j.Location))
	}
	if j.Status == taxi.Held {
		add("for " + dateWords(j.Date) + ", the search for a car has not begun")
	}
	if priced := j.Status == taxi.Held || j.Status == taxi.Waiting || j.Status == taxi.Complete; priced && j.Price != nil {
		add(priceWords(*j.Price))
	}
	if j.ETA != nil && j.Status != taxi.Arrived && !j.Status.Terminal() {
		words := etaWords(j)
		if j.Status == taxi.Waiting {
			words = "a car in about " + words
		}
		add(words)
	}
	if j.Data != nil {
		add(string(j.Data.Reason))
		if j.Data.Charge != nil {
			add(priceWords(*j.Data.Charge) + " to pay")
		}
	}
	return strings.Join(slices.DeleteFunc(known, func(words string) bool { return words == "" }), ", ")
}

func (t *Timeline) where(p taxi.Point) string {
	if t.Where != nil {
		return t.Where(p)
	}
	return fmt.Sprintf("at %.5f, %.5f", p.Latitude, p.Longitude)
}
