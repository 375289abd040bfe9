// Package metrics counts the requests, faults and journeys of a world for Prometheus, and reads
// what its parts know.
package metrics

import (
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/fault"
)

// MostScrapes limits how many clients may read the metrics of a world at once.
const MostScrapes = 4

// Metrics counts the requests, faults and journeys of a world. All other metrics are collected
// when somebody reads them, see [World].
type Metrics struct {
	requests *prometheus.CounterVec
	took     *prometheus.HistogramVec
	faults   *prometheus.CounterVec
	entered  *prometheus.CounterVec

	Registry *prometheus.Registry
	Page     http.Handler // serves the metrics
}

// operations are the values of the label with that name. A client chooses the path of a
// request, so all other paths share one value.
var operations = []string{"config", "user", "book", "cancel", "status"}

const otherOperation = "other"

// New starts counting for a world.
func New(w World) *Metrics {
	m := &Metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "cabrank_requests_total", Help: "Requests to the operations, by the status that was sent; none: none was, as a fault closed the connection or wrote no HTTP.",
		}, []string{"operation", "code"}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "cabrank_request_duration_seconds", Help: "How long answers took by the wall, faults included.",
			Buckets: []float64{0.0002, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30},
		}, []string{"operation"}),
		faults: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "cabrank_faults_total", Help: "Requests that a fault met, by its name in the catalogue, whoever asked for it.",
		}, []string{"fault"}),
		entered: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "cabrank_journey_transitions_total", Help: "Journeys that came to a status.",
		}, []string{"status"}),
	}
	for _, op := range operations {
		m.took.WithLabelValues(op)
	}
	m.Registry = prometheus.NewRegistry()
	m.Registry.MustRegister(m.requests, m.took, m.faults, m.entered, readings{w})
	if w.Process {
		m.Registry.MustRegister(AboutProcess()...)
	}
	m.Page = promhttp.HandlerFor(m.Registry, promhttp.HandlerOpts{MaxRequestsInFlight: MostScrapes})
	return m
}

// AboutProcess returns collectors of metrics about this process.
func AboutProcess() []prometheus.Collector {
	return []prometheus.Collector{collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{})}
}

// Count counts the requests to a handler, by the status that the client received.
func (m *Metrics) Count(now func() time.Time, next http.Handler) http.Handler {
	counts := make(map[string]*operationCounts, len(operations))
	for _, op := range operations {
		counts["/"+op] = m.countsOf(op)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		op := counts[r.URL.Path]
		if op == nil {
			op = m.countsOf(otherOperation)
		}
		counted, began := &countedAnswer{ResponseWriter: w}, now()
		defer func() { // even if a fault aborts the request by a panic
			op.took.Observe(max(0, now().Sub(began)).Seconds())
			op.answered(counted).Inc()
		}()
		next.ServeHTTP(counted, r)
	})
}

// operationCounts holds the counters of an operation, to look them up only once.
type operationCounts struct {
	took prometheus.Observer
	code func(string) prometheus.Counter
	ok   atomic.Pointer[prometheus.Counter] // for status 200, which nearly all responses have; nil: there was none yet
}

func (m *Metrics) countsOf(op string) *operationCounts {
	return &operationCounts{
		took: m.took.WithLabelValues(op),
		code: func(code string) prometheus.Counter { return m.requests.WithLabelValues(op, code) },
	}
}

// answered returns the counter for the code of a response.
func (o *operationCounts) answered(a *countedAnswer) prometheus.Counter {
	if a.status != http.StatusOK || a.taken != nil {
		return o.code(a.code())
	}
	if ok := o.ok.Load(); ok != nil {
		return *ok
	}
	ok := o.code(a.code())
	o.ok.Store(&ok)
	return ok
}

// Met counts the event of a fault rule if it is a hit.
func (m *Metrics) Met(e fault.Event) {
	if e.What == fault.Hit {
		m.faults.WithLabelValues(e.Fault).Inc()
	}
}

// Moved counts a change of a journey, except edits, which do not change its status.
func (m *Metrics) Moved(t simulator.Transition) {
	if t.From != t.To {
		m.entered.WithLabelValues(string(t.To)).Inc()
	}
}
