// Package crew describes cars and their drivers: who drives what, for which vehicle
// categories, and when.
package crew

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
)

// Crew is a car and its driver.
type Crew struct {
	VehicleID string
	DriverID  string
	Category  string // vehicle category; "" for a saloon
	Vehicle   taxi.Vehicle
	Driver    taxi.Driver
}

// First returns the first n cars and drivers of the fixtures. Any twenty
// neighbours have a car of each category.
func First(n int) []Crew {
	crews := make([]Crew, n)
	for i := range crews {
		crews[i] = crewAt(i)
		crews[i].VehicleID = fmt.Sprintf("car-%d", i+1)
		crews[i].DriverID = fmt.Sprintf("driver-%d", i+1)
	}
	return crews
}

// Partner returns the car and driver of a partner firm, with a number beyond those of any
// fleet here. The same key gives the same car.
func Partner(key uint64, id string) *Crew {
	const fleet, cars = 10_000, 2_000
	c := crewAt(fleet + int(key%cars))
	c.VehicleID, c.DriverID = id, id
	return &c
}

func crewAt(i int) Crew {
	v := fixtures.VehicleAt(i)
	return Crew{Category: string(v.Category), Vehicle: v.Vehicle, Driver: fixtures.DriverAt(i)}
}

// Shift contains the working hours of some drivers: from a time of schedule Begins to the next
// time of schedule Ends. Both are cron lines in UTC, in which no hour is missing or repeated.
type Shift struct{ Begins, Ends string }

// Times is a shift with parsed schedules.
type Times struct{ Begins, Ends cron.Schedule }

// Parse parses the schedules of a shift.
func (s Shift) Parse() (Times, error) {
	begins, err := Schedule(s.Begins)
	if err != nil {
		return Times{}, fmt.Errorf("shift begins: %w", err)
	}
	ends, err := Schedule(s.Ends)
	if err != nil {
		return Times{}, fmt.Errorf("shift ends: %w", err)
	}
	return Times{begins, ends}, nil
}

// Roster returns the shifts of the drivers. Decision: at least half of the cars work at
// any time of the day, and a quarter after midnight.
func Roster() []Shift {
	return []Shift{
		{"0 5 * * *", "0 14 * * *"},
		{"0 8 * * *", "0 19 * * *"},
		{"0 14 * * *", "0 0 * * *"},
		{"0 19 * * *", "0 5 * * *"},
	}
}

// Schedule parses a cron line in UTC, in which no hour is missing or repeated.
func Schedule(line string) (cron.Schedule, error) {
	if strings.Contains(line, "TZ=") {
		return nil, fmt.Errorf("%q: a schedule is in UTC and names no time zone", line)
	}
	at, err := cron.ParseStandard(line)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", line, err)
	}
	if at.Next(time.Unix(0, 0).UTC()).IsZero() {
		return nil, fmt.Errorf("%q: that time never comes", line)
	}
	return at, nil
}

// Kind is a set of vehicle categories.
type Kind uint8

const (
	saloon Kind = 1 << iota
	estate
	executive
	mpv
	minibus
	accessible
)

// Any is the kind of all cars.
const Any = saloon | estate | executive | mpv | minibus | accessible

// categories maps each vehicle category to the kind of its cars, and to the kinds that may take a job for it.
// Decision: a larger or better car may replace a plain one, and nothing else.
var categories = map[string]struct{ own, may Kind }{
	"saloon":     {saloon, saloon | estate | executive},
	"estate":     {estate, estate | mpv},
	"executive":  {executive, executive},
	"mpv":        {mpv, mpv | minibus},
	"minibus":    {minibus, minibus},
	"accessible": {accessible, accessible},
	"wheelchair": {accessible, accessible}, // platforms say what the passenger needs
}

// KindOf returns the kind of a car by its category. A car of an unknown category is a saloon.
func KindOf(category string) Kind {
	return cmp.Or(categories[strings.ToLower(category)].own, saloon)
}

// KindsFor returns the kinds of cars that may take a job with a category; a job of an unknown category is served by any car.
func KindsFor(category string) Kind {
	return cmp.Or(categories[strings.ToLower(category)].may, Any)
}

// IsLarge reports whether a booking with a category asks for five to eight seats.
func IsLarge(category string) bool {
	kinds := KindsFor(category)
	return kinds&saloon == 0 && kinds&minibus != 0
}
