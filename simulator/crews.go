package simulator

import (
	"fmt"

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

// partnerCrew is the car of a partner firm that comes for a job: one of those
// that no fleet here is large enough to have.
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
