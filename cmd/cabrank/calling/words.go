package calling

import (
	"fmt"
	"strings"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// journeyLine puts a journey into one line for people.
func journeyLine(j taxi.Journey) string {
	parts := []string{fmt.Sprintf("%s  %-9s", j.JourneyID, j.Status)}
	if !j.Date.IsZero() {
		parts = append(parts, "pickup "+j.Date.Format("Mon 2 Jan 15:04"))
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
	return cli.Printable(strings.Join(parts, "  "))
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
