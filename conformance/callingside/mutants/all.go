package mutants

import (
	"net/http"
	"slices"

	"github.com/cabrank/cabrank/conformance/matrix"
)

// spreads says of how many verdicts a fault may fail that is of the kind on which much
// rests; of others, twelve.
var spreads = map[Switch]int{
	pathBesideTheBase: 60, noCredentials: 60, otherCredentials: 60, noContentType: 60, configByGET: 60, noBodyForConfig: 40, overridesIgnored: 18,
	idsInSmallLetters: 18, noCredentialsOnStatus: 18,
}

// All returns the platforms that are wrong in one way.
func All(clock Clock) []matrix.Mutant {
	var all []matrix.Mutant
	for _, f := range slices.Concat(faults, families) {
		if f.killedBy == "" && f.warns == "" {
			continue
		}
		m := platform(string(f.Switch), clock, f.Switch)
		m.KilledBy, m.Warns, m.Most = f.killedBy, f.warns, max(spreads[f.Switch], 12)
		all = append(all, m)
	}
	return all
}

// platform is one with switches set.
func platform(name string, clock Clock, switches ...Switch) matrix.Mutant {
	return matrix.Mutant{Name: name, Wrap: func(http.Handler) http.Handler { return NewPlatform(clock.Now, clock.Wait, switches...) }}
}

// Variants returns platforms that are odd and right.
func Variants(clock Clock) []matrix.Mutant {
	var all []matrix.Mutant
	for _, f := range slices.Concat(faults, families) {
		if f.killedBy == "" && f.warns == "" {
			all = append(all, platform(string(f.Switch), clock, f.Switch))
		}
	}
	german := []Switch{speaks("de"), noMessaging, asksMore, neverPolls}
	return append(all, platform("a right platform", clock), platform("German, by digits, without messaging", clock, german...))
}

// NullPeers returns peers that are not platforms.
func NullPeers(clock Clock) []matrix.Mutant {
	says := func(name string, h http.HandlerFunc) matrix.Mutant {
		return matrix.Mutant{Name: name, Own: true, Wrap: func(http.Handler) http.Handler { return h }}
	}
	return []matrix.Mutant{
		says("exits at every request", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }),
		says("answers 200 {}", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{}")) }),
		says("answers 501", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotImplemented) }),
		says("answers 404", http.NotFound),
		says("answers HTML", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>ok</html>")) }),
		says("says yes to every question", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"outcome":"completed","offered":["book","edit","cancel","status","comingNow","callDriver"],"asked":["pickup","dropoff","time","name"],
				"said":["Your taxi is booked.","Your taxi is cancelled."],"shown":[{"kind":"location","longitude":-1.5,"latitude":53.8}],"legs":[{"to":"driver","callerId":"+441134960000"}]}`))
		}),
		says("says nothing, and calls nothing", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"outcome":"person","offered":[],"asked":[],"said":[],"shown":[],"legs":[]}`))
		}),
	}
}
