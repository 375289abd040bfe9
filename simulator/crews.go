package simulator

import (
	"fmt"
	"strings"

	"github.com/robfig/cron/v3"

	"github.com/cabrank/cabrank/fixtures"
)

// Crews returns the first n cars and drivers of the fixtures. Any twenty
// neighbours have a car of each category.
func Crews(n int) []Crew {
	crews := make([]Crew, n)
	for i := range crews {
		crews[i] = crewAt(i)
		crews[i].VehicleID = fmt.Sprintf("car-%d", i+1)
		crews[i].DriverID = fmt.Sprintf("driver-%d", i+1)
	}
	return crews
}

// partnerCrew returns a partner firm's car for a job: one with a number that no fleet
// here is large enough to have.
func partnerCrew(j *job) *Crew {
	const fleet, cars = 10_000, 2_000
	c := crewAt(fleet + int(j.key%cars))
	c.VehicleID = fmt.Sprintf("partner-%s-%d", j.journey.JourneyID, j.tries)
	c.DriverID = c.VehicleID
	return &c
}

func crewAt(i int) Crew {
	v := fixtures.VehicleAt(i)
	return Crew{Category: string(v.Category), Vehicle: v.Vehicle, Driver: fixtures.DriverAt(i)}
}

// Shift is when some of the drivers work: from a time of schedule Begins to the next time
// of schedule Ends. Both are cron lines in UTC, in which no hour is missing or repeated.
type Shift struct{ Begins, Ends string }

// shiftTimes is a shift with parsed schedules.
type shiftTimes struct{ begins, ends cron.Schedule }

// utcSchedule parses a cron line in UTC, in which no hour is missing or repeated.
func utcSchedule(line string) (cron.Schedule, error) {
	if strings.Contains(line, "TZ=") {
		return nil, fmt.Errorf("%q: a schedule is in UTC and names no time zone", line)
	}
	at, err := cron.ParseStandard(line)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", line, err)
	}
	if at.Next(Epoch).IsZero() {
		return nil, fmt.Errorf("%q: that time never comes", line)
	}
	return at, nil
}

// kind is a set of vehicle categories.
type kind uint8

const (
	saloon kind = 1 << iota
	estate
	executive
	mpv
	minibus
	accessible
	anyKind = saloon | estate | executive | mpv | minibus | accessible
)

// kindOf returns the kind of a car's category.
func kindOf(category string) kind {
	switch strings.ToLower(category) {
	case "estate":
		return estate
	case "executive":
		return executive
	case "mpv":
		return mpv
	case "minibus":
		return minibus
	case "accessible":
		return accessible
	default:
		return saloon
	}
}

// kindsFor returns the kinds of cars that may take a job with a category. Decision: a
// larger or better car may replace a plain one, and nothing else; an unknown category is
// served by any car.
func kindsFor(category string) kind {
	switch strings.ToLower(category) {
	case "saloon":
		return saloon | estate | executive
	case "estate":
		return estate | mpv
	case "executive":
		return executive
	case "mpv":
		return mpv | minibus
	case "minibus":
		return minibus
	case "accessible":
		return accessible
	default:
		return anyKind
	}
}
