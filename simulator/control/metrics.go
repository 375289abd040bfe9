package control

import (
	"cmp"
	"net"
	"net/http"
	"net/url"

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

// hosts returns the hosts of all worlds in this process.
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

// ReadTargets is the call that lists where Prometheus finds the metrics of all worlds.
var ReadTargets = Call[url.Values, []TargetGroup]{get("readTargets", "/sd", "The metrics of all worlds, for `http_sd_configs` of Prometheus", readTargets).shared().answers("Targets").
	more("One target group for each world, with the labels `world` (the main world has none), `owner` and `label_…` for each label of the sandbox.")}

// TargetGroup says where the metrics of a world are, as Prometheus reads it.
type TargetGroup struct {
	Targets []string          `json:"targets"`
	Labels  map[string]string `json:"labels"`
}

func readTargets(c *call) (written, error) {
	base, err := url.Parse(c.server.baseOf(c.r))
	if err != nil {
		return written{}, err
	}
	groups := []TargetGroup{targetOf("", "", nil, base)}
	here, others, err := c.server.worlds.Everywhere(c)
	if err != nil {
		return written{}, err
	}
	for _, w := range here {
		groups = append(groups, targetOf(w.Name, w.Owner, w.Labels, base))
	}
	for _, l := range others {
		groups = append(groups, targetOf(l.Name, l.Facts.Owner, l.Facts.Labels, base))
	}
	writeJSON(c.w, http.StatusOK, "application/json", groups)
	return written{}, nil
}

// targetOf returns the target group of a world at the base address of a server. Prometheus
// ignores empty labels.
func targetOf(name, owner string, own map[string]string, base *url.URL) TargetGroup {
	port := cmp.Or(base.Port(), map[string]string{"http": "80", "https": "443"}[base.Scheme])
	path := PathMetrics
	if name != "" {
		path = sandboxPrefix + name + PathMetrics
	}
	labels := map[string]string{"__scheme__": base.Scheme, "__metrics_path__": base.Path + path}
	for label, value := range own {
		labels["label_"+label] = value
	}
	if name != "" {
		labels["world"] = name
	}
	if owner != "" {
		labels["owner"] = owner
	}
	return TargetGroup{[]string{net.JoinHostPort(base.Hostname(), port)}, labels}
}
