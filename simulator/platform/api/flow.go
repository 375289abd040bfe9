package api

import (
	"strings"
)

// MostHops limits how many devices a call may pass. A flow with a longer path is refused.
const MostHops = 20

// Exit is an exit of a device: the member that contains it, and its target.
type Exit struct {
	Pointer string // JSON Pointer of the member
	To      string // a device id or Hangup
}

// Exits returns the exits of a device.
func (d Device) Exits() []Exit {
	switch {
	case d.Type == TypeRouteStart && d.StartRoute != nil:
		return []Exit{{"/startRoute/connectTo", d.StartRoute.ConnectTo}}
	case d.Type == TypeSIPGateway && d.SIPGateway != nil:
		g := d.SIPGateway
		return []Exit{
			{"/sipGateway/onComplete", g.OnComplete},
			{"/sipGateway/onFail", g.OnFail},
			{"/sipGateway/onNoAnswer", g.OnNoAnswer},
			{"/sipGateway/onBusy", g.OnBusy},
		}
	case d.Type == TypePlugin && d.Plugin != nil:
		g := d.Plugin
		return []Exit{
			{"/plugin/onTransfer", g.OnTransfer},
			{"/plugin/onError", g.OnError},
			{"/plugin/onComplete", g.OnComplete},
			{"/plugin/onFail", g.OnFail},
			{"/plugin/onNoAnswer", g.OnNoAnswer},
			{"/plugin/onBusy", g.OnBusy},
		}
	}
	return nil
}

// Ends reports whether an exit's target hangs up, in any case of letters.
func Ends(to string) bool { return strings.EqualFold(to, Hangup) }

// Lookup finds a device of the account.
type Lookup func(id string) (Device, bool)

// CheckFlow validates a device before it is stored: each exit must lead to another device
// of the account or hang up, never back to the device itself, and no path through it may
// pass more than MostHops devices. wrong is called for each invalid exit. before is the
// length of the longest path that leads to the device, see [Depth].
func CheckFlow(d Device, before int, lookup Lookup, wrong func(pointer, format string, args ...any)) {
	find := func(id string) (Device, bool) {
		if id == d.ID {
			return d, true
		}
		return lookup(id)
	}
	for _, exit := range d.Exits() {
		if Ends(exit.To) {
			continue
		}
		if _, known := find(exit.To); !known {
			wrong(exit.Pointer, "is neither a device of this account nor %s", Hangup)
			continue
		}
		switch steps, round := longestWay(exit.To, d.ID, find, map[string]int{}); {
		case round:
			wrong(exit.Pointer, "leads back to this device: a call would go round for ever")
		case before+1+steps > MostHops:
			wrong(exit.Pointer, "makes a way through %d devices; at most %d are followed", before+1+steps, MostHops)
		}
	}
}

// longestWay returns how many devices the longest path from a device passes, and whether
// one leads to the device goal. known caches results; valid flows have no cycles except
// through goal.
func longestWay(from, goal string, find Lookup, known map[string]int) (steps int, round bool) {
	if from == goal {
		return 0, true
	}
	if steps, ok := known[from]; ok {
		return steps, false
	}
	d, ok := find(from)
	if !ok {
		return 0, false
	}
	for _, exit := range d.Exits() {
		if Ends(exit.To) {
			continue
		}
		further, round := longestWay(exit.To, goal, find, known)
		if round {
			return 0, true
		}
		steps = max(steps, further)
	}
	known[from] = steps + 1
	return steps + 1, false
}

// Depth returns how many devices the longest path to a device passes before it.
func Depth(id string, all []Device) int {
	into := map[string][]string{}
	for _, d := range all {
		for _, exit := range d.Exits() {
			into[exit.To] = append(into[exit.To], d.ID)
		}
	}
	known := map[string]int{}
	var depth func(id string) int
	depth = func(id string) int {
		if n, ok := known[id]; ok {
			return n
		}
		known[id] = 0 // this ends a cycle, which CheckFlow refuses
		n := 0
		for _, from := range into[id] {
			if from != id {
				n = max(n, depth(from)+1)
			}
		}
		known[id] = n
		return n
	}
	return depth(id)
}
