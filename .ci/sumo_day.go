//go:build ignore

package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/store"
)

// world is cabrank's side of the day.
type world struct {
	*simulator.World
	town    *town.Town
	records *store.Store
	start   time.Time
}

func newWorld(ctx context.Context) (*world, error) {
	w := &world{
		town:    town.Generate(town.Options{Seed: 1}),
		records: store.Memory(),
		start:   simulator.Epoch.Truncate(day),
	}
	var err error
	w.World, err = simulator.New(ctx, w.records, simulator.Options{
		Seed: 1, Town: w.town, Cars: cars, Start: w.start,
		Demand: simulator.Demand{PerHour: perHour, Prebooked: 20}, Sweep: "0 * * * *",
	})
	return w, err
}

func (w *world) live(ctx context.Context) error { return w.Clock().Advance(ctx, day) }

// timeDay is what a process does that cabrank is timed by. It tells so in SUMO's
// words.
func timeDay(ctx context.Context) error {
	w, err := newWorld(ctx)
	if err != nil {
		return err
	}
	began := time.Now()
	if err := w.live(ctx); err != nil {
		return err
	}
	fmt.Printf("Simulation ended at time: %.2f\nDuration: %.4fs\n", day.Seconds(), time.Since(began).Seconds())
	return nil
}

// stop is a place at the side of a street, as SUMO names it.
type stop struct {
	edge string
	at   float64 // metres from where the edge begins
}

// sideOf returns the stop at a kerb for cars that pass it on an arc: 2l along link l,
// 2l+1 against it. SUMO's cars cannot stop at the very ends of an edge.
func (w *world) sideOf(k town.Kerb, arc int32) stop {
	length, at := w.town.Links[k.Link].Length, k.Offset
	if arc&1 == 1 {
		at = length - at
	}
	return stop{edgeOf(arc), metres(min(max(at, 1000), length-1000))}
}

// edgeOf names the edge of an arc as SUMO does: the way back has a minus.
func edgeOf(arc int32) string {
	id := strconv.Itoa(int(arc >> 1))
	if arc&1 == 1 {
		return "-" + id
	}
	return id
}

func metres[mm int32 | int64](n mm) float64 { return float64(n) / 1000 }

// fleet is where the cars stand.
func (w *world) fleet() []stop {
	_, all := w.Vehicles()
	stops := make([]stop, len(all))
	for i, v := range all {
		k := w.town.Kerb(w.town.XY(v.Location))
		stops[i] = w.sideOf(k, 2*k.Link)
	}
	return stops
}

// journey is a booking for the day, and what became of it in cabrank.
type journey struct {
	id       taxi.JourneyID
	at       float64 // the pickup time, in seconds after midnight
	now      bool    // the car was to come at once
	from, to stop
	ride     *ride // nil: it was not over by the end of the day
}

// ride is what a passenger saw: how long after the pickup time the car was there, and
// how long and far the way was.
type ride struct{ wait, seconds, metres float64 }

// journeys reads the day's bookings back, by their pickup times. A car stops on that
// side of a street on which the quickest way begins and ends.
func (w *world) journeys(ctx context.Context) ([]journey, error) {
	all, err := w.records.Journeys(ctx, 0)
	if err != nil {
		return nil, err
	}
	var booked []journey
	router := w.town.NewRouter()
	for _, s := range all {
		if !s.Date.Before(w.start.Add(day)) {
			continue // it is for tomorrow
		}
		from := w.town.Kerb(w.town.XY(*s.Pickup.Location))
		to := w.town.Kerb(w.town.XY(*s.Dropoffs[0].Location))
		way, _ := router.Route(from, to, nil) // there is one, since a town is of one connected part
		if len(s.Dropoffs) > 1 || len(way.Steps) == 0 {
			return nil, fmt.Errorf("journey %s is more, or less, than one ride", s.JourneyID)
		}
		j := journey{
			id:   s.JourneyID,
			at:   s.Date.Sub(w.start).Seconds(),
			now:  s.Date.Sub(s.CreatedAt) < time.Minute,
			from: w.sideOf(from, way.Steps[0].Arc),
			to:   w.sideOf(to, way.Steps[len(way.Steps)-1].Arc),
		}
		if s.Status == taxi.Complete {
			j.ride = &ride{s.ArrivedAt.Sub(s.Date.Time).Seconds(), float64(way.Duration) / 1000, metres(way.Length)}
		}
		booked = append(booked, j)
	}
	slices.SortStableFunc(booked, func(a, b journey) int { return cmp.Compare(a.at, b.at) })
	return booked, nil
}

// completed is the rides that cabrank's passengers had.
func completed(journeys []journey) rides {
	over := make(rides)
	for _, j := range journeys {
		if j.ride != nil {
			over[j.id] = *j.ride
		}
	}
	return over
}
