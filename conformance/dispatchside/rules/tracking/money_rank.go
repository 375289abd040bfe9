package tracking

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// trip is the price and the length of a journey.
type trip struct {
	price priceShown
	km    float64
}

// Limits for the verdict on whether prices correlate with the length of trips.
const (
	fewestTrips  = 30
	fewestPrices = 5
	connected    = 0.2 // minimum rank correlation: random prices stay below it in nine of ten samples of 30 trips, and in all of 300
)

// judgeOwnPrices judges whether prices correlate with the length of trips. A server that
// answers with the prices of other journeys shows no correlation.
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
		message := fmt.Sprintf("the prices of %d journeys do not correlate with the length of their trips", len(trips))
		r.Warn("ENR-26", message, fmt.Sprintf("longer trips cost more: a rank correlation above %.1f, not %.2f", connected, rho), last.price.at, last.price.from)
		return
	}
	r.Pass("ENR-26", last.price.from)
}

// pricedTrips returns the journeys with a known length and first price, in the most frequent
// currency. It omits metered, fixed and minimum prices, which depend on other things.
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

// rankCorrelation returns Spearman's rank correlation of price and length; 1 if all prices or all lengths are equal.
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

// ranks returns the rank of each trip by a measure; equal trips share their mean rank.
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
