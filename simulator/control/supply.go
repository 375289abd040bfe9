package control

import (
	"net/http"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
)

func supplyCalls() calls {
	return calls{
		get("readSupply", "/supply", "How many cars there are, and what orders say about that", readSupply),
		put("setSupply", "/supply", "Say how many cars serve a zone, or how long they take", setSupply).refuses(http.StatusConflict).
			more(`It replaces what was said about the same zone; up to 16 are kept. Without a zone it is for the whole town. Where zones
				overlap the one that was set first counts.`),
		del("endSupply", "/supply", "Withdraw all orders about the supply", endSupply).says("they are withdrawn"),
	}.tagged("Fleet")
}

// SupplyReport is how many cars there are, and what orders say about that.
type SupplyReport struct {
	Now    time.Time          `json:"now"`    // by the world's clock
	Free   int                `json:"free"`   // cars that wait for a job
	OnDuty int                `json:"onDuty"` // those, and those that have one
	Orders []simulator.Supply `json:"orders"` // the first whose zone has the pickup counts
}

func readSupply(c *call) (SupplyReport, error) { return supplyReport(c.world()), nil }

func supplyReport(w *simulator.World) SupplyReport {
	now, all := w.Vehicles()
	r := SupplyReport{Now: now, Orders: w.Supplies()}
	if r.Orders == nil {
		r.Orders = []simulator.Supply{}
	}
	for _, v := range all {
		switch v.State {
		case simulator.CarFree:
			r.Free++
			r.OnDuty++
		case simulator.CarOffDuty:
		default:
			r.OnDuty++
		}
	}
	return r
}

// SupplyBody is available, etaMinutes or both; until or for.
type SupplyBody struct {
	simulator.Supply `schema:"inline: true"`

	For *simulator.Span `json:"for,omitempty"` // in place of until
}

// longestSupply is how far ahead an order about the supply may end.
const longestSupply = 366 * 24 * time.Hour

// supply is the order for a world.
func (b SupplyBody) supply(w *simulator.World) (simulator.Supply, error) {
	s := b.Supply
	if b.For == nil {
		return s, nil
	}
	switch d := time.Duration(*b.For); {
	case !b.Until.IsZero():
		return s, taxi.InvalidField("/for", "range", "and /until: want one of them")
	case d <= 0 || d > longestSupply:
		return s, taxi.InvalidField("/for", "range", "is %v, want more than 0s and up to %v", d, longestSupply)
	default:
		s.Until = w.Clock().Now().Add(d)
	}
	return s, nil
}

func setSupply(c *call, b SupplyBody) (SupplyReport, error) {
	s, err := b.supply(c.world())
	if err == nil {
		err = c.world().SetSupply(c, s)
	}
	if err != nil {
		return SupplyReport{}, err
	}
	return supplyReport(c.world()), nil
}

// endSupply withdraws all orders about the supply.
func endSupply(c *call) (none, error) { return none{}, c.world().EndSupply(c, nil) }
