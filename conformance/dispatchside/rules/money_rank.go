package rules

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// trip is what a journey costs and how long it is.
type trip struct {
	price priceShown
	km    float64
}

// Bounds of a verdict on whether prices follow the length of the trips.
const (
	fewestTrips  = 30
	fewestPrices = 5
	connected    = 0.2 // the least correlation of ranks: that of 30 trips and prices of chance is below it in nine of ten, that of 300 always
)

// judgeOwnPrices judges whether the prices of journeys follow the length of their trips. A
// server that answers with the price of another journey shows no connection.
func (r *tracker) judgeOwnPrices() {
	trips := r.pricedTrips()
	prices := map[float64]bool{}
	for _, t := range trips {
		prices[t.price.value] = true
	}
	if len(trips) < fewestTrips || len(prices) < fewestPrices {
		return
	}
	last := slices.MaxFunc(trips, func(a, b trip) int { return a.price.from.ID - b.price.from.ID })
	if rho := rankCorrelation(trips); rho < connected {
		message := fmt.Sprintf("the prices of %d journeys have nothing to do with the length of their trips", len(trips))
		r.Warn("ENR-26", message, fmt.Sprintf("longer trips cost more: a correlation of ranks above %.1f, not %.2f", connected, rho), last.price.at, last.price.from)
		return
	}
	r.Pass("ENR-26", last.price.from)
}

// pricedTrips lists the journeys whose first price is known, by the currency that most of
// them have. What the meter has changed, and what is agreed, has another reason.
func (r *tracker) pricedTrips() []trip {
	byCurrency := map[string][]trip{}
	for _, t := range r.journeys {
		if len(t.quotes) == 0 || r.unreliableIDs[t.id] {
			continue
		}
		p := t.quotes[0]
		km, known := lengthOf(t.versions[0])
		if known && p.version == 1 && !p.mayChange() && p.kind != taxi.Fixed && p.kind != taxi.Minimum {
			byCurrency[p.currency] = append(byCurrency[p.currency], trip{p, km})
		}
	}
	var most []trip
	for _, trips := range byCurrency {
		if len(trips) > len(most) {
			most = trips
		}
	}
	return most
}

// rankCorrelation is Spearman's, of price and length.
func rankCorrelation(trips []trip) float64 {
	prices := ranks(trips, func(t trip) float64 { return t.price.value })
	lengths := ranks(trips, func(t trip) float64 { return t.km })
	var covariance, varP, varL float64
	mean := float64(len(trips)-1) / 2
	for i := range trips {
		p, l := prices[i]-mean, lengths[i]-mean
		covariance, varP, varL = covariance+p*l, varP+p*p, varL+l*l
	}
	if varP == 0 || varL == 0 {
		return 1 // nothing to compare
	}
	return covariance / math.Sqrt(varP*varL)
}

// ranks returns the place of each trip by a measure; equal ones share the middle of theirs.
func ranks(trips []trip, measure func(trip) float64) []float64 {
	order := make([]int, len(trips))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(measure(trips[a]), measure(trips[b])) })
	places := make([]float64, len(trips))
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && measure(trips[order[to]]) == measure(trips[order[from]]) {
			to++
		}
		for _, i := range order[from:to] {
			places[i] = float64(from+to-1) / 2
		}
		from = to
	}
	return places
}
