package simulator

import (
	"log/slog"

	"github.com/cabrank/cabrank/simulator/chance"
	"github.com/cabrank/cabrank/simulator/demand"
)

// planDemand plans the first booking of the residents, if they book at all.
func (w *core) planDemand(o *Options) error {
	if o.Demand.PerHour == 0 {
		return nil
	}
	residents, err := demand.New(o.Demand, demand.Area{
		Seed: o.Seed, Roads: o.Roads, Town: o.Town, Places: o.Places, Zone: w.fares.Location,
	})
	if err != nil {
		return err
	}
	w.residents = residents
	w.planNextBooking()
	return nil
}

// planNextBooking plans the next booking of a resident.
func (w *core) planNextBooking() {
	draw := chance.New(w.seed, chance.Demand, uint64(w.now), 0)
	w.plan(event{at: momentOf(w.residents.Next(&draw, w.now.time())), kind: evDemand})
}

// bookForResident makes the booking that is due, and plans the next.
func (w *core) bookForResident() {
	w.planNextBooking()
	draw := chance.New(w.seed, chance.Person, uint64(w.now), 0)
	r := w.residents.Request(&draw, w.now.time())
	w.residentBooks = true
	if err := w.service.BookWithin(w.now.time(), r); err != nil {
		w.log.Debug("the office did not take a booking", slog.Any("reason", err))
	}
	w.residentBooks = false
}
