package rules

import (
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

var speechRows = []row{
	{needing(needsCaller, check("P-44", must, onRequest, service+": no phone number is ever exposed to the end user or to the driver", "The driver's phone number is never spoken, written or displayed, in whichever spelling.", "Passengers call drivers at home.", "Keep driver.phoneNumber out of every template; connect the two through the platform.")), judgeDriversNumber},
	{needing(needsCaller, check("P-54", must, onBook, operations, "That a taxi is booked is said only after an answer with a journeyId.", "Somebody waits in the rain for a taxi that nobody sends.", "Say it after a 2xx that has a journeyId, and nothing but that.")), judgeSaysBooked},
	{needing(needsCaller, check("P-55", must, onCancel, operations, "That a taxi is cancelled is said only when the status of the answer is CANCELLED.", "The taxi comes all the same, and is charged.", "Look at status.")), judgeSaysCancelled},
	{needing(needsCaller, check("P-56", robust, onCancel, ours, "When /cancel answers with another status, the caller is told that the taxi was not cancelled.", "The caller believes that it was.", "Say so, or put the caller through to a person.")), judgeNotCancelled},
	{needing(needsCaller, check("P-60", robust, onRequest, ours, "When a required field is missing in a reply, the platform says less; it never says \"undefined\", \"null\" or the like.", "Callers hear the insides of a program.", "Leave the sentence out when its fact is missing.")), judgeSlips},
	{needing(needsCaller, check("P-68", robust, onStatus, objects+", ETA and Price", "ESTIMATE and ESTIMATED, odd currencies and units of time such as \"mins\" are voiced sensibly.", "Callers hear codes.", "Speak what you know, and leave out what you do not.")), judgeUnits},
	{needing(needsCaller, check("P-69", robust, onStatus, ours, "Markup in a name is text; it is not interpreted.", "A driver's name can make the platform say or play anything.", "Escape every value before it goes into SSML or HTML.")), judgeMarkup},
}

func judgeDriversNumber(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		said, known := r.said()
		numbers := r.phonesTold()
		if !known || len(numbers) == 0 {
			continue
		}
		text := strings.Join(said, " ")
		told := false
		for _, n := range numbers {
			if start, end, is := NumberSpoken(text, n); is {
				told = true
				s.failed(c.ID, r, "the driver's number was told to the caller", "no number", text[max(0, start-40):start]+"[the number]"+text[end:min(len(text), end+20)])
				break
			}
		}
		if !told && len(said) > 0 {
			s.passed(c.ID, r)
		}
	}
}

func judgeSaysBooked(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		said, known := r.said()
		if !r.wants(WantBook) || !known || len(r.of(OpBook)) == 0 || r.has("activeBookings") {
			continue
		}
		sentence, made := states(said, doneBooked), r.made()
		switch {
		case sentence != "" && !made:
			s.failed(c.ID, r, "the caller was told that a taxi is booked: "+r.scene(), "such a sentence only after an answer with a journeyId", sentence)
		case sentence != "":
			s.passed(c.ID, r)
		case !made && s.heard["says booked"]:
			s.passed(c.ID, r)
		case !made:
			s.unclear(c.ID, r, conformance.NotSeen, "a sentence that the rules understand as \"it is booked\" (they know English, German, French, Spanish, Dutch and Italian)")
		}
	}
}

// has reports whether an answer of /user had entries in a list.
func (r *request) has(list string) bool {
	for _, x := range r.of(OpUser) {
		if len(x.Reply().At(list).Items()) > 0 {
			return true
		}
	}
	return false
}

// made reports whether an answer of /book named the journey.
func (r *request) made() bool {
	for _, x := range r.of(OpBook) {
		if x.Succeeded() && x.Response != nil && x.Err == "" && x.Reply().At("journeyId").Scalar() != "" {
			return true
		}
	}
	return false
}

func judgeSaysCancelled(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		said, known := r.said()
		calls := r.of(OpCancel)
		if !r.wants(WantCancel) || !known || len(calls) == 0 {
			continue
		}
		sentence, last := states(said, doneCancelled), calls[len(calls)-1]
		done := r.toldCancelled(last)
		switch {
		case sentence != "" && !done:
			s.failed(c.ID, r, "the caller was told that the taxi is cancelled: "+r.scene(), "such a sentence only when the status is CANCELLED", sentence)
		case sentence != "":
			s.passed(c.ID, r)
		case !done && s.heard["says cancelled"]:
			s.passed(c.ID, r)
		case !done:
			s.unclear(c.ID, r, conformance.NotSeen, "a sentence that the rules understand as \"it is cancelled\"")
		}
	}
}

// toldCancelled reports that the answer of /cancel, or a reading after it, gave the
// status CANCELLED.
func (r *request) toldCancelled(cancel *conformance.Exchange) bool {
	for _, x := range r.calls {
		later := x.Operation == OpStatus && !x.Started.Before(cancel.Started)
		if (x == cancel || later) && x.Succeeded() && x.Intent != IntentForeign && statusOf(x.Reply()) == taxi.Cancelled {
			return true
		}
	}
	return false
}

func judgeNotCancelled(s *sheet, c conformance.Check) {
	s.each(c.ID, func(r *request) {
		said, known := r.said()
		switch sentence := states(said, doneCancelled); {
		case r.with(IntentRefused) == nil:
			s.unclear(c.ID, r, conformance.NotSeen, "a call of /cancel")
		case sentence != "":
			s.failed(c.ID, r, "the caller was told that the taxi is cancelled, and it is not", "that it was not cancelled", sentence)
		case r.outcome() == OutcomePerson, known && denies(said):
			s.passed(c.ID, r)
		case known && len(said) == 0:
			s.failed(c.ID, r, "the caller was told nothing", "that it was not cancelled", "nothing")
		default:
			s.unclear(c.ID, r, conformance.NotSeen, "a sentence that the rules understand as a denial")
		}
	})
}

// judgeSlips looks at everything that was said; a pass needs a reply that lacked
// something.
func judgeSlips(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		said, known := r.said()
		switch {
		case r.is(c.ID) && r.failed != "":
			s.failed(c.ID, r, "the platform failed at the request: "+r.scene(), "it says less", r.failed)
		case !known:
		case nothingSpoken(said) != "":
			s.failed(c.ID, r, "the caller heard the insides of a program", "no such word", nothingSpoken(said))
		case r.with(IntentMissing) != nil && len(said) > 0:
			s.passed(c.ID, r)
		}
	}
}

func judgeUnits(s *sheet, c conformance.Check) {
	s.each(c.ID, func(r *request) {
		said, known := r.said()
		text := strings.Join(said, " ")
		_, x := r.journey()
		switch {
		case x == nil || !known || len(said) == 0:
			s.unclear(c.ID, r, conformance.NotSeen, needsCaller)
		case strings.Contains(text, "ESTIMATE") || strings.Contains(text, "{\"") || strings.Contains(text, "map["):
			s.failed(c.ID, r, "the caller heard a code", "words", text)
		default:
			s.passed(c.ID, r)
		}
	})
}

// MarkupAlias is what a driver's name says only to whoever interprets the markup in it.
const MarkupAlias = "Zebra"

func judgeMarkup(s *sheet, c conformance.Check) {
	s.each(c.ID, func(r *request) {
		said, known := r.said()
		text := strings.Join(said, " ")
		_, x := r.journey()
		switch {
		case x == nil || !known || len(said) == 0:
			s.unclear(c.ID, r, conformance.NotSeen, needsCaller)
		case strings.Contains(text, MarkupAlias) && !strings.Contains(text, "alias"):
			s.failed(c.ID, r, "the markup in the driver's name was interpreted", "its text, or nothing of it", text)
		default:
			s.passed(c.ID, r)
		}
	})
}
