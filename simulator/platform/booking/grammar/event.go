package grammar

import "strings"

// A trip is often told with the time of something else: "my train goes at six, so pick me
// up at half past five". The time of such an event is not that of the trip.

// event says whose time a time is.
type event uint8

const (
	noEvent event = iota
	begins        // the train goes: whoever goes there is fetched earlier
	isThere       // they have to be there by then, likewise
	isOver        // the film ends: they are fetched then, or later
)

var (
	eventNouns = set("train flight plane film movie show play match game gig concert kickoff kick appointment meeting interview exam lecture class lesson seminar conference funeral wedding service mass ceremony ferry boat coach bus dinner table shift doors curtain checkin boarding " +
		"zug flug flieger maschine film vorstellung spiel anpfiff termin arzttermin besprechung sitzung unterricht vorlesung prüfung schicht dienst unterrichtsschluss schulschluss dienstschluss unterrichtsbeginn schulbeginn dienstbeginn feierabend konzert fähre bahn hochzeit trauung beerdigung einlass anschlusszug")
	eventVerbs = set("is s at for by it goes go leaves leave departs starts start begins begin kicks off offs takes on opens boards calls my the our a an one of and gets into due about around well be ill im itself there then actually selbst selber dann erst eigentlich geht ging fährt fahrt fliegt startet beginnt fängt fangt ist um gegen ab schon der die das mein meine am an im wird punkt genau so")
	eventEnds  = set("finishes finished finish finishing ends ended end over out lands landed land landing arrives arrived done closes close knock aus vorbei endet ende landet gelandet kommt  schluss fertig")
	fetching   = set("pick picked pickup collect collected fetch come get send taxi cab car book booked order want need me us so then say please hol holt holen abholen abholung schicken taxi wagen brauche brauch also dann")
	arriving   = set("be arrive arriving reach")
	attending  = set("attend attending give giving catch catching")
)

// events leaves out the times of events: all, where the trip has a time of its own, or else
// those that it cannot have.
func (h *hearing) events() {
	kind := map[int]event{}
	own := false
	for i, it := range h.items {
		if it.kind != itemTime || !it.when.when.Clock {
			continue
		}
		kind[i] = h.eventOf(it)
		own = own || kind[i] == noEvent
	}
	for i, e := range kind {
		if e == noEvent || !own && (e != begins || h.Asked == AskedTime) {
			continue
		}
		h.items[i].kind, h.items[i].sense = itemWords, sense{class: filler}
	}
}

// since leaves out a time since when something is so: "I have been here since five this
// morning".
func (h *hearing) since() {
	for i, w := range h.said {
		if w != "since" && w != "seit" {
			continue
		}
		for to, found := i+1, true; found; {
			found = false
			for k, it := range h.items {
				if it.kind == itemTime && it.from == to {
					h.items[k].kind, h.items[k].sense = itemWords, sense{class: filler}
					to, found = it.to, true
				}
			}
		}
	}
}

// eventOf says what happens at a time, by the words around it.
func (h *hearing) eventOf(it item) event {
	const most = 12
	found := noEvent
	for i := it.from - 1; i >= 0 && i > it.from-most; i-- {
		w := h.said[i]
		bare := strings.TrimSuffix(w, "s")
		switch {
		case h.placed(i) && h.placed(i+1): // the train station
		case (eventNouns[w] || eventNouns[bare]) && h.follows(i):
			return noEvent
		case eventNouns[w], eventNouns[bare]:
			if found == noEvent {
				found = begins
			}
			return found
		case arriving[w] && (i+1 < len(h.said) && (h.said[i+1] == "at" || h.said[i+1] == "there" || h.said[i+1] == "in") || w != "be"):
			return isThere
		case h.timed(i), fetching[w]:
			return max(found, h.afterwards(it))
		case eventEnds[w]:
			found = isOver
		case eventVerbs[w], h.placed(i), attending[w], w == "to" && attending[h.said[i+1]]:
		default:
			return max(found, h.afterwards(it))
		}
	}
	return max(found, h.afterwards(it))
}

// afterwards hears what stands behind a time: "um neun muss ich da sein".
func (h *hearing) afterwards(it item) event {
	const most = 6
	verbs := true
	for i := it.to; i < len(h.said) && i < it.to+most; i++ {
		switch w := h.said[i]; {
		case w == "sein" && (h.said[i-1] == "da" || h.said[i-1] == "dort" || h.placed(i-1)), w == "ankommen":
			return isThere
		case fetching[w], h.timed(i):
			return noEvent
		case eventNouns[w] && verbs && !h.timedSoon(i): // the ten past six train; at ten is the appointment
			return begins
		case !eventVerbs[w]:
			verbs = false
		}
	}
	return noEvent
}

// timedSoon reports whether a time stands behind an event: that one is its own.
func (h *hearing) timedSoon(i int) bool {
	const most = 4
	for k := i + 1; k <= i+most; k++ {
		if h.timed(k) {
			return true
		}
	}
	return false
}

// follows reports whether what is said comes after an event: "after the match".
func (h *hearing) follows(i int) bool {
	for i--; i >= 0 && (articles[h.said[i]] || possessive[h.said[i]]); i-- {
	}
	return i >= 0 && (h.said[i] == "after" || h.said[i] == "nach")
}

// placed and timed report whether a word belongs to a place, and to a time.
func (h *hearing) placed(i int) bool { return h.isPart(i, itemPlace) }

func (h *hearing) timed(i int) bool { return h.isPart(i, itemTime) }

func (h *hearing) isPart(i int, kind itemKind) bool {
	for _, it := range h.items {
		if it.kind == kind && i >= it.from && i < it.to {
			return true
		}
	}
	return false
}
