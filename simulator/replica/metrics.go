package replica

import "github.com/prometheus/client_golang/prometheus"

// counts are the metrics of a replica.
type counts struct {
	registry           *prometheus.Registry
	taken, lost, moved prometheus.Counter
	failed             prometheus.Counter
	beat               prometheus.Histogram
	passes             *prometheus.CounterVec
	took               prometheus.Histogram
	now                func() float64
}

var passBuckets = []float64{0.0002, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}

func newCounts(r *Replica) *counts {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: "cabrank_" + name, Help: help})
	}
	c := &counts{
		registry: prometheus.NewRegistry(),
		taken:    counter("world_takeovers_total", "Worlds that this replica has taken since its start, from nobody or from a replica whose lease was over."),
		lost:     counter("world_leases_lost_total", "Worlds that another replica has taken from this one."),
		moved:    counter("worlds_given_total", "Worlds that this replica has given up, as it ran more than its share."),
		failed:   counter("lease_renewals_failed_total", "Renewals of the lease that failed."),
		beat: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "cabrank_lease_renewal_duration_seconds", Help: "How long a renewal of the lease took.", Buckets: passBuckets,
		}),
		passes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "cabrank_passed_requests_total", Help: "Requests for worlds of other replicas: passed on (ok), without a response (failed), or for a world that moved meanwhile (moved).",
		}, []string{"result"}),
		took: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "cabrank_passed_request_duration_seconds", Help: "How long requests took that were passed on, until their response was sent.", Buckets: passBuckets,
		}),
		now: func() float64 { return float64(r.options.Now().UnixNano()) / 1e9 },
	}
	worlds := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "cabrank_worlds", Help: "Worlds that this replica runs, with the main one."}, func() float64 {
		r.mu.Lock()
		defer r.mu.Unlock()
		return float64(len(r.claims))
	})
	c.registry.MustRegister(c.taken, c.lost, c.moved, c.failed, c.beat, c.passes, c.took, worlds)
	return c
}

// passed counts a request that was passed on, with its result and duration.
func (c *counts) passed(result string, p *passed) {
	c.passes.WithLabelValues(result).Inc()
	c.took.Observe(c.now() - float64(p.began.UnixNano())/1e9)
}

// Metrics returns the metrics of this replica.
func (r *Replica) Metrics() prometheus.Gatherer { return r.counts.registry }
