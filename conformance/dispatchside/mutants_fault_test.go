package dispatchside_test

import (
	"net/http"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/matrix"
)

// fault is one way of being wrong, or odd.
type fault struct {
	name     string
	killedBy string // checks that fail, separated by spaces
	warns    string // checks that can only warn
	most     int    // verdicts that may fail in all; 0: four more than are named
	layer    func() layer
	http     func(http.Handler) http.Handler // in place of layer, for what is not about JSON
	lag      func() func(conformance.Operation) time.Duration
	path     string
	own      bool // the sound server is not used
	listen   func(now time.Time) (*matrix.Port, error)
}

func (f fault) mutant() matrix.Mutant {
	wrap := f.http
	switch {
	case f.layer != nil:
		wrap = func(h http.Handler) http.Handler { return under(h, f.layer) }
	case wrap == nil:
		wrap = func(h http.Handler) http.Handler { return h }
	}
	return matrix.Mutant{
		Name: f.name, KilledBy: f.killedBy, Warns: f.warns, Most: f.most,
		Wrap: wrap, Lag: f.lag, Path: f.path, Own: f.own, Listen: f.listen,
	}
}
