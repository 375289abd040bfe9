package control

import (
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/vary"
)

func overviewCalls() calls {
	return calls{get("overview", "/", "What there is to know of a world at a glance", overview)}.tagged("World")
}

// Overview is what there is to know of a world at a glance.
type Overview struct {
	Version string      `json:"version"`
	Sandbox string      `json:"sandbox"` // empty: the main world
	Clock   Clock       `json:"clock"`
	Config  host.Config `json:"config"` // what the world was made from
	Live    int         `json:"live"`   // journeys that have not ended
	Faults  string      `json:"faults"` // that are at work, in a few words

	// the address to give to a platform; left out: where this is asked
	ThirdPartyURL string `json:"thirdPartyUrl,omitempty"`

	// the firm's, whose time of day people name and are told, such as Europe/London
	TimeZone string `json:"timeZone"`

	// how much answers differ in ways that the interface allows
	Variation vary.Level `json:"variation" schema:"enum: [0, 1, 2]"`

	// what was ordered for later. It is in memory only: a restart of the program forgets it, and so does
	// a restored snapshot.
	Orders simulator.Standing `json:"orders"`
}

func overview(c *call) (Overview, error) { return c.server.overviewOf(c.box), nil }

func (s *Server) overviewOf(box *sandbox) Overview {
	h := box.Gate.Latest()
	elsewhere := s.options.ThirdPartyURL
	if elsewhere != "" && box.Name != "" {
		elsewhere += sandboxPrefix + box.Name
	}
	return Overview{
		Version: s.options.Version, Sandbox: box.Name, Clock: clockOf(h.World()),
		Config: h.Config(), Live: len(h.Records().AllLive()), Faults: box.faults.Summary(),
		ThirdPartyURL: elsewhere, TimeZone: h.World().Zone().String(), Variation: h.Config().Variation,
		Orders: h.World().Standing(),
	}
}
