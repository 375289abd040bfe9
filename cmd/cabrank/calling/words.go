package calling

import (
	"fmt"
	"strings"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// dayAndTime is the format of a pickup time.
const dayAndTime = "Mon 2 Jan 15:04"

// dateWords formats a pickup time in this machine's time zone, since each response may
// use another offset. A time without an offset is shown unchanged.
func dateWords(d taxi.Time) string {
	if d.Local {
		return d.Format(dayAndTime)
	}
	return d.Time.Local().Format(dayAndTime)
}

// journeyLine describes a journey in one line, with its status in colour if the output is
// coloured.
func journeyLine(j taxi.Journey, coloured bool) string {
	id := cli.Printable(string(j.JourneyID))
	return id + "  " + statusWord(j.Status, coloured) + cli.Printable(aboutJourney(j))
}

// statusWord formats a status, padded to the width of the longest.
func statusWord(s taxi.Status, coloured bool) string {
	return cli.Paint(coloured, inks[s], cli.Printable(fmt.Sprintf("%-9s", s)))
}

// inks maps statuses to colours; an unknown status has none.
var inks = map[taxi.Status]cli.Ink{
	taxi.Held: cli.Yellow, taxi.Waiting: cli.Yellow, taxi.Accepted: cli.Cyan, taxi.EnRoute: cli.Cyan, taxi.Arrived: cli.Magenta,
	taxi.POB: cli.Blue, taxi.Complete: cli.Green, taxi.Cancelled: cli.Red,
}

// aboutJourney describes a journey apart from its status, with two spaces before each
// part.
func aboutJourney(j taxi.Journey) string {
	var parts []string
	if !j.Date.IsZero() {
		parts = append(parts, "pickup "+dateWords(j.Date))
	}
	if j.ETA != nil && j.Status != taxi.Arrived {
		parts = append(parts, etaWords(j))
	}
	if j.Vehicle != nil {
		parts = append(parts, fmt.Sprintf("%s (%s)", j.Vehicle.Description, j.Vehicle.Registration))
	}
	if j.Driver != nil {
		parts = append(parts, "driver "+j.Driver.Name)
	}
	if j.Location != nil {
		parts = append(parts, fmt.Sprintf("at %.5f, %.5f", j.Location.Latitude, j.Location.Longitude))
	}
	if j.Price != nil {
		parts = append(parts, priceWords(*j.Price))
	}
	if j.Data != nil && j.Data.Reason != "" {
		parts = append(parts, "reason "+string(j.Data.Reason))
	}
	if len(parts) == 0 {
		return ""
	}
	return "  " + strings.Join(parts, "  ")
}

func etaWords(j taxi.Journey) string {
	what := "to the pickup"
	if j.Status == taxi.POB {
		what = "to the drop-off"
	}
	unit := j.ETA.Unit
	if j.ETA.Value == 1 {
		unit = strings.TrimSuffix(unit, "s")
	}
	return fmt.Sprintf("%g %s %s", j.ETA.Value, unit, what)
}

func priceWords(p taxi.Price) string {
	amount := fmt.Sprintf("%.2f %s", p.Value, p.Currency)
	if p.Currency == "GBP" {
		amount = fmt.Sprintf("£%.2f", p.Value)
	}
	if p.Type == "" {
		return amount
	}
	return amount + " " + strings.ToLower(string(p.Type.Canonical()))
}
