package control

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control/metrics"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
)

// PathMetrics is the path of the metrics for Prometheus: of the main world, or below the
// path of a sandbox. Clients that may call the control API may read it.
const PathMetrics = "/metrics"

// newMetrics starts counting for a sandbox.
func (s *Server) newMetrics(box *sandbox) *metrics.Metrics {
	w := metrics.World{
		Host: box.Gate.Latest, Faults: func() []fault.Listed { return box.faults.List() },
		Process: box.Name == "" && s.options.Elsewhere == nil,
	}
	if box.Name == "" {
		w.Version, w.Sandboxes = s.options.Version, func() int { return len(s.worlds.All()) }
	}
	if s.options.Journal != nil {
		w.Journal = func() metrics.Journal { return box.journal.Stats() }
	}
	return metrics.New(w)
}

// hosts returns all worlds of this process.
func (s *Server) hosts() (all []*host.Host) {
	for _, w := range s.worlds.All() {
		all = append(all, w.Gate.Latest())
	}
	if main := s.worlds.Main(); main != nil {
		all = append(all, main.Gate.Latest())
	}
	return all
}

// Metrics serves the metrics of this process where several share the worlds: those of the
// process itself, further ones, and those of the main world if it runs here.
func (s *Server) Metrics(more prometheus.Gatherer) http.Handler {
	own := prometheus.NewRegistry()
	own.MustRegister(append(metrics.AboutProcess(), metrics.AllCommits(s.hosts))...)
	opts := promhttp.HandlerOpts{MaxRequestsInFlight: metrics.MostScrapes}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		all := prometheus.Gatherers{own, more}
		if main := s.worlds.Main(); main != nil {
			all = append(all, boxOf(main).metrics.Registry)
		}
		s.serveMetrics(w, r, promhttp.HandlerFor(all, opts))
	})
}

// serveMetrics serves a page of metrics to clients that may call the control API.
func (s *Server) serveMetrics(w http.ResponseWriter, r *http.Request, page http.Handler) {
	if _, err := s.allowed(r); err != nil {
		s.fail(w, r, err)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		s.fail(w, r, taxi.NewProblem(http.StatusMethodNotAllowed, taxi.CodeMethodNotAllowed, "want GET or HEAD"))
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	page.ServeHTTP(w, r)
}
