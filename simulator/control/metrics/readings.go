package metrics

import (
	"regexp"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/store"
)

// World has what the metrics of a world are read from, when somebody scrapes them. A reset
// sets those of the world and its records to zero.
type World struct {
	Version   string     // of the program, for the main world
	Sandboxes func() int // nil: it is a sandbox
	Host      func() *host.Host
	Faults    func() []fault.Listed
	Journal   func() Journal // nil: there is none

	// Process adds the metrics of this process.
	Process bool
}

// Journal describes the content of a journal.
type Journal struct {
	Kept, Bytes       int            // stored requests, and their memory
	Gone              int            // requests dropped for newer ones since the journal was cleared
	Requests, Answers map[string]int // verdicts since the journal was cleared, on requests and on responses
}

// readings collects the metrics that a world's parts count themselves.
type readings struct{ World }

func described(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("cabrank_"+name, help, labels, nil)
}

var (
	aboutBuild     = described("build_info", "The version that runs.", "version")
	aboutSandboxes = described("sandboxes", "Worlds beside the main one.")

	aboutJourneys = described("journeys", "Journeys that have not ended.", "status")
	aboutEvents   = described("world_events_total", "Events that have happened in the world.")
	aboutPlanned  = described("world_events_planned", "Events that are still to happen.")
	aboutLag      = described("world_event_lag_seconds", "How late events happened, by the wall. A clock that is moved by hand has none.")
	aboutTime     = described("world_time_seconds", "The world's clock, in seconds since the Unix epoch.")
	aboutSpeed    = described("world_speed_ratio", "How many times faster than the wall the world's clock is to run; 0: it is moved by hand.")
	aboutLives    = described("world_lives_ratio", "How many times faster than the wall the machine lets it run.")

	aboutQueued  = described("store_queued_records", "Changed records that are not durable.")
	aboutCommits = described("store_commit_duration_seconds", "How long groups of changes took to commit, by the wall.")
	aboutGroups  = described("store_commit_records", "How many records a commit held.")
	aboutFailed  = described("store_commit_failures_total", "Commits that the disk refused.")

	aboutRules = described("fault_rules", "Rules of faults.", "state")
	aboutHits  = described("fault_rule_hits", "Requests that a rule has hit, for rules that are still listed.", "id", "fault")

	aboutKept     = described("journal_calls", "Calls that the journal keeps.")
	aboutBytes    = described("journal_bytes", "Memory that the journal's calls take.")
	aboutGone     = described("journal_calls_gone", "Calls that made room for others since the journal was cleared.")
	aboutVerdicts = described("journal_verdicts", "Calls that were judged since the journal was cleared, by the verdict on what was sent (request) or answered (answer).", "about", "verdict")

	allAbout = []*prometheus.Desc{
		aboutBuild, aboutSandboxes, aboutJourneys, aboutEvents, aboutPlanned, aboutLag, aboutTime, aboutSpeed, aboutLives,
		aboutQueued, aboutCommits, aboutGroups, aboutFailed, aboutRules, aboutHits, aboutKept, aboutBytes, aboutGone, aboutVerdicts,
	}
)

// Describe implements [prometheus.Collector].
func (r readings) Describe(to chan<- *prometheus.Desc) {
	for _, d := range allAbout {
		to <- d
	}
}

// Collect implements [prometheus.Collector].
func (r readings) Collect(to chan<- prometheus.Metric) {
	out := sink(to)
	if r.Sandboxes != nil {
		out.gauge(aboutBuild, 1, r.Version)
		out.gauge(aboutSandboxes, float64(r.Sandboxes()))
	}
	h := r.Host()
	out.world(h)
	out.records(h.Records().Stats())
	out.faults(r.Faults())
	if r.Journal != nil {
		out.journal(r.Journal())
	}
}

// AllCommits collects how long the commits of all worlds of this process took.
type AllCommits func() []*host.Host

var aboutAllCommits = described("worlds_commit_duration_seconds", "How long groups of changes took to commit, of all worlds that run in this process.")

// Describe implements [prometheus.Collector].
func (AllCommits) Describe(to chan<- *prometheus.Desc) { to <- aboutAllCommits }

// Collect implements [prometheus.Collector].
func (a AllCommits) Collect(to chan<- prometheus.Metric) {
	var all store.Histogram
	for _, h := range a() {
		if c := h.Records().Stats().Commits; c != nil {
			all.Add(c.Took)
		}
	}
	sink(to).histogram(aboutAllCommits, all)
}

// sink is a channel to which metrics are sent.
type sink chan<- prometheus.Metric

func (s sink) gauge(d *prometheus.Desc, v float64, labels ...string) {
	s <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
}

func (s sink) counter(d *prometheus.Desc, v uint64) {
	s <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(v))
}

func (s sink) world(h *host.Host) {
	w := h.World()
	clock, stats, lags := w.Clock().Read(), w.Stats(), w.Lags()
	s.counter(aboutEvents, stats.Events)
	s.gauge(aboutPlanned, float64(stats.Planned))
	s.gauge(aboutTime, float64(clock.Now.UnixMilli())/1000)
	speed, lives := clock.Speed, clock.Lives
	if clock.Paused {
		speed, lives = 0, 0
	}
	if lives == 0 {
		lives = speed
	}
	s.gauge(aboutSpeed, float64(speed))
	s.gauge(aboutLives, float64(lives))
	below := make(map[float64]uint64, len(lags.Below))
	for bound, n := range lags.Below {
		below[bound.Seconds()] = n
	}
	s <- prometheus.MustNewConstHistogram(aboutLag, lags.Count, lags.Total.Seconds(), below)
}

// underWay are the statuses of journeys that have not ended.
var underWay = []taxi.Status{taxi.Held, taxi.Waiting, taxi.Accepted, taxi.EnRoute, taxi.Arrived, taxi.POB}

func (s sink) records(stats store.Stats) {
	for _, status := range underWay {
		s.gauge(aboutJourneys, float64(stats.Live[status]), string(status))
	}
	if c := stats.Commits; c != nil {
		s.gauge(aboutQueued, float64(stats.Queued))
		s.counter(aboutFailed, c.Failed)
		s.histogram(aboutCommits, c.Took)
		s.histogram(aboutGroups, c.Records)
	}
}

func (s sink) histogram(d *prometheus.Desc, h store.Histogram) {
	upTo, seen := make(map[float64]uint64, len(h.Bounds)), uint64(0)
	for i, bound := range h.Bounds {
		seen += h.Counts[i]
		upTo[bound] = seen
	}
	s <- prometheus.MustNewConstHistogram(d, h.Count, h.Sum, upTo)
}

// asNumber matches a possible phone number in an id that a client chose.
var asNumber = regexp.MustCompile(`[0-9]{7,}`)

func (s sink) faults(rules []fault.Listed) {
	type key struct{ id, fault string }
	states, hits := map[fault.State]int{}, map[key]int{}
	for _, l := range rules {
		states[l.State]++
		hits[key{asNumber.ReplaceAllString(l.ID, "number"), l.Do.Kind}] += l.Hits
	}
	for _, state := range []fault.State{fault.ToCome, fault.AtWork, fault.Over} {
		s.gauge(aboutRules, float64(states[state]), string(state))
	}
	for k, n := range hits {
		s.gauge(aboutHits, float64(n), k.id, k.fault)
	}
}

func (s sink) journal(stats Journal) {
	s.gauge(aboutKept, float64(stats.Kept))
	s.gauge(aboutBytes, float64(stats.Bytes))
	s.gauge(aboutGone, float64(stats.Gone))
	for verdict, n := range stats.Requests {
		s.gauge(aboutVerdicts, float64(n), "request", verdict)
	}
	for verdict, n := range stats.Answers {
		s.gauge(aboutVerdicts, float64(n), "answer", verdict)
	}
}
