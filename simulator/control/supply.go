package control

import (
	"net/http"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
)

func supplyCalls() calls {
	return calls{
		get("readSupply", "/supply", "The number of cars, and the supply settings", readSupply),
		put("setSupply", "/supply", "Set how many cars serve a zone, or how long they take", setSupply).refuses(http.StatusConflict).
			more(`Replaces the setting of the same zone; there can be up to 16. Without a zone it is for the whole town. If zones
				overlap, the setting made first applies.`),
		del("endSupply", "/supply", "Remove all supply settings", endSupply).says("the settings are removed"),
	}.tagged("Fleet")
}

// SupplyReport is the number of cars and the supply settings.
type SupplyReport struct {
	Now    time.Time          `json:"now"`    // by the world's clock
	Free   int                `json:"free"`   // cars that are waiting for a job
	OnDuty int                `json:"onDuty"` // free cars and cars with a job
	Orders []simulator.Supply `json:"orders"` // the first one whose zone contains the pickup applies
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

// SupplyBody is a supply setting. It needs available, etaMinutes or both; and until or
// for may be given.
type SupplyBody struct {
	simulator.Supply `schema:"inline: true"`

	For *simulator.Span `json:"for,omitempty"` // instead of until
}

// longestSupply limits the duration of a supply setting.
const longestSupply = 366 * 24 * time.Hour

// supply returns the setting for a world.
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

// endSupply removes all supply settings.
func endSupply(c *call) (none, error) { return none{}, c.world().EndSupply(c, nil) }
