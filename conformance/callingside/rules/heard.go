package rules

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

var speechRows = []row{
	{needing(needsCaller, check("P-44", must, onRequest, service+": no phone number is ever exposed to the end user or to the driver", "The driver's phone number is never spoken, written or displayed, in any spelling.", "Passengers call drivers at home.", "Keep driver.phoneNumber out of every template; connect the two through the platform.")), judgeDriversNumber},
	{needing(needsCaller, check("P-54", must, onBook, operations, "The caller is told that a taxi is booked only after an answer with a journeyId.", "Somebody waits in the rain for a taxi that nobody sends.", "Say it only after a 2xx with a journeyId.")), judgeSaysBooked},
	{needing(needsCaller, check("P-55", must, onCancel, operations, "The caller is told that a taxi is cancelled only if the status of the answer is CANCELLED.", "The taxi comes anyway, and is charged.", "Check status.")), judgeSaysCancelled},
	{needing(needsCaller, check("P-56", robust, onCancel, ours, "When /cancel answers with another status, the caller is told that the taxi was not cancelled.", "The caller believes that it was cancelled.", "Say so, or put the caller through to a person.")), judgeNotCancelled},
	{needing(needsCaller, check("P-60", robust, onRequest, ours, "When a required field is missing in a reply, the platform says less; it never says \"undefined\", \"null\" or the like, nor 0 minutes for a time of arrival that it does not know.", "Callers hear program internals, or run into the street for a taxi that is far away.", "Omit the sentence if its fact is missing.")), judgeSlips},
	{needing(needsCaller, check("P-68", robust, onRequest, objects+", ETA and Price", "ESTIMATE and ESTIMATED, odd currencies and units of time such as \"mins\" are spoken sensibly.", "Callers hear codes.", "Speak the values that you know, and omit the others.")), judgeUnits},
	{needing(needsCaller, check("P-69", robust, onStatus, ours, "Markup in a name is neither interpreted nor spoken.", "A driver's name can make the platform say or play anything.", "Remove markup from every value, and escape the rest before it goes into SSML or HTML.")), judgeMarkup},
}

func judgeDriversNumber(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		said, known := r.said()
		numbers := r.phonesTold()
		if !known || len(numbers) == 0 || len(said) == 0 {
			continue
		}
		text := strings.Join(said, " ")
		around := func(start, end int, mark string) string {
			return text[max(0, start-40):start] + mark + text[end:min(len(text), end+20)]
		}
		if start, end, is := anySpoken(text, numbers); is {
			s.failed(c.ID, r, "the driver's number was told to the caller", "no number", around(start, end, "[the number]"))
		} else if start, end, is := r.endSpoken(text, numbers); is {
			s.failed(c.ID, r, "a part of the driver's number was told to the caller", "no part of it", around(start, end, "[its last digits]"))
		} else {
			s.passed(c.ID, r)
		}
	}
}

// anySpoken returns where a text has one of the telephone numbers, in any spelling; is is false if it has none.
func anySpoken(text string, numbers []string) (start, end int, is bool) {
	for _, n := range numbers {
		if start, end, is = NumberSpoken(text, n); is {
			return start, end, true
		}
	}
	return 0, 0, false
}

// endSpoken returns where a text has only the end of a number, of at least four digits; is is false
// if it has none. Digits of other data, such as an id or an address, do not count.
func (r *request) endSpoken(text string, numbers []string) (start, end int, is bool) {
	const least = 4
	other := r.otherDigits()
	for _, n := range numbers {
		tail := n[len(n)-least:]
		for _, span := range digitSpans(text) {
			known := slices.ContainsFunc(other, func(d string) bool { return strings.Contains(d, span.digits) })
			if strings.HasSuffix(span.digits, tail) && strings.HasSuffix(n, span.digits) && !known {
				return span.start, span.end, true
			}
		}
	}
	return 0, 0, false
}

// otherDigits lists the digits of all data that a request received, except drivers' numbers.
func (r *request) otherDigits() []string {
	var all []string
	for _, x := range r.calls {
		for _, body := range []jsonvalue.Value{x.Sent(), x.Reply()} {
			for _, j := range append(body.At("activeBookings").Items(), body) {
				for _, v := range []jsonvalue.Value{j.At("journeyId"), j.At("userId"), j.At("date"), j.At("pickup").At("address"), j.At("vehicle").At("registration"), j.At("driver").At("badgeNumber"), j.At("phoneNumber"), j.At("passenger").At("phoneNumber")} {
					all = append(all, jsonvalue.Digits(v.Text()))
				}
				for _, d := range j.At("dropoffs").Items() {
					all = append(all, jsonvalue.Digits(d.At("address").Text()))
				}
			}
		}
	}
	return all
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
		case !made && s.controls[saysBooked]:
			s.passed(c.ID, r)
		case !made:
			s.unclear(c.ID, r, conformance.NotSeen, "a sentence that the rules understand as \"it is booked\" (they know English, German, French, Spanish, Dutch and Italian)")
		}
	}
}

// has reports whether an answer of /user had entries in a list.
func (r *request) has(list string) bool {
	return slices.ContainsFunc(r.of(OpUser), func(x *conformance.Exchange) bool { return len(x.Reply().At(list).Items()) > 0 })
}

// made reports whether /book succeeded with a journeyId in its answer.
func (r *request) made() bool {
	return slices.ContainsFunc(r.of(OpBook), func(x *conformance.Exchange) bool {
		return x.Succeeded() && x.Response != nil && x.Err == "" && x.Reply().At("journeyId").Scalar() != ""
	})
}

func judgeSaysCancelled(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		said, known := r.said()
		calls := r.of(OpCancel)
		if !r.wants(WantCancel) || !known {
			continue
		}
		sentence := states(said, doneCancelled)
		if len(calls) == 0 {
			if now, _ := r.journey(); sentence != "" && now.IsObject() && taxi.Status(now.At("status").Text()) != taxi.Cancelled {
				s.failed(c.ID, r, "the caller was told that the taxi is cancelled, and /cancel was not called", "such a sentence only when the status is CANCELLED", sentence)
				s.Suggest("Call /cancel, or say that the taxi cannot be cancelled any more.")
			}
			continue
		}
		last := calls[len(calls)-1]
		if last.Intent == IntentForeign {
			continue // P-66 judges it
		}
		done := r.toldCancelled(last)
		switch {
		case sentence != "" && !done:
			s.failed(c.ID, r, "the caller was told that the taxi is cancelled: "+r.scene(), "such a sentence only when the status is CANCELLED", sentence)
		case sentence != "":
			s.passed(c.ID, r)
		case !done && s.controls[saysCancelled]:
			s.passed(c.ID, r)
		case !done:
			s.unclear(c.ID, r, conformance.NotSeen, "a sentence that the rules understand as \"it is cancelled\"")
		}
	}
}

// toldCancelled reports whether the answer of /cancel, or a read after it, has the status
// CANCELLED.
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
		case sentence != "" && r.toldCancelled(r.with(IntentRefused)):
			s.passed(c.ID, r) // a later reading says so
		case sentence != "":
			s.failed(c.ID, r, "the caller was told that the taxi is cancelled, but it is not", "that it was not cancelled", sentence)
		case r.outcome() == OutcomePerson, known && denies(said):
			s.passed(c.ID, r)
		case known && len(said) == 0:
			s.failed(c.ID, r, "the caller was told nothing", "that it was not cancelled", "nothing")
		default:
			s.unclear(c.ID, r, conformance.NotSeen, "a sentence that the rules understand as a denial")
		}
	})
}

// judgeSlips fails requests in which the caller heard program internals or an invented time of
// arrival. A pass needs a reply that lacked a member.
func judgeSlips(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		said, known := r.said()
		switch {
		case r.is(c.ID) && r.failed != "":
			s.failed(c.ID, r, "the platform failed at the request: "+r.scene(), "it says less", r.failed)
		case !known:
		case r.is(c.ID) && r.with(IntentMissing) != nil && len(said) == 0 && r.outcome() == OutcomeFailed:
			s.failed(c.ID, r, "the call ended and nothing was said: "+r.scene(), "it says less", "outcome "+r.outcome())
		case nothingSpoken(said) != "":
			s.failed(c.ID, r, "the caller heard program internals", "no such word", nothingSpoken(said))
		case !r.toldETA() && noMinutes.MatchString(strings.Join(said, " ")):
			s.failed(c.ID, r, "the caller was told a time of arrival that no reply had", "no time of arrival", noMinutes.FindString(strings.Join(said, " ")))
		case r.with(IntentMissing) != nil && len(said) > 0:
			s.passed(c.ID, r)
		}
	}
}

// noMinutes matches a time of arrival of 0 minutes, in the languages of the
// rules.
var noMinutes = regexp.MustCompile(`(?i)\b(0|zero|no|null|zéro|cero|nul) (min|mins|minutes?|minuten?|minutos?|minuti|minuto)\b`)

// toldETA reports whether any answer had a time of arrival.
func (r *request) toldETA() bool {
	for _, x := range r.calls {
		for _, j := range append(x.Reply().At("activeBookings").Items(), x.Reply()) {
			if j.At("eta").Given() {
				return true
			}
		}
	}
	return false
}

func judgeUnits(s *sheet, c conformance.Check) {
	for r := range s.supported(c.ID) {
		said, known := r.said()
		text := strings.Join(said, " ")
		j, x := r.spokenOf()
		switch flaw := unitFlaw(text, j); {
		case r.failed != "" && r.with(IntentOddUnits) != nil:
			s.failed(c.ID, r, "the platform failed at the request: "+r.scene(), "it speaks the values that it knows", r.failed)
		case r.failed != "" || x == nil || !known || len(said) == 0:
			s.unclear(c.ID, r, conformance.NotSeen, needsCaller)
		case flaw != "":
			s.failed(c.ID, r, flaw, "words, and what was told", text)
		default:
			s.passed(c.ID, r)
		}
	}
}

// spokenOf returns the journey that a platform describes at the end of a request: the one it
// booked, or else the one it read.
func (r *request) spokenOf() (jsonvalue.Value, *conformance.Exchange) {
	for _, x := range slices.Backward(r.booked()) {
		if r.wants(WantBook) && x.Succeeded() {
			return x.Reply(), x
		}
	}
	return r.journey()
}

// Words of time and money, in the languages of the rules.
var (
	secondWords = regexp.MustCompile(`(?i)\b(sec|sek|seg)\w*`)
	minuteWords = regexp.MustCompile(`(?i)\bmin\w*`)
	hourWords   = regexp.MustCompile(`(?i)\b(hours?|stunden?|heures?|horas?|uur|uren|or[ae])\b`)
	knownUnit   = regexp.MustCompile(`(?i)^(s|sec|m|min|h|hr|hour)`)
	fixedWords  = regexp.MustCompile(`(?i)\b(fixed|guaranteed|festpreis|prix fixe|precio fijo|vaste prijs|prezzo fisso)\b`)
	poundWords  = regexp.MustCompile(`(?i)£|\b(gbp|pounds?|pfund|livres?|libras?|ponden?|sterline?)\b`)
)

// unitFlaw says what is wrong with how an odd unit or price was spoken; "": nothing.
func unitFlaw(text string, j jsonvalue.Value) string {
	eta, price := j.At("eta"), j.At("price")
	heard := speechOf([]string{text})
	amount := price.At("value").Scalar()
	switch {
	case strings.Contains(text, "ESTIMATE") || strings.Contains(text, "{\"") || strings.Contains(text, "map["):
		return "the caller heard a code"
	case strings.HasPrefix(eta.At("unit").Text(), "sec") && heard.counts(eta.At("value")) && minuteWords.MatchString(text) && !secondWords.MatchString(text):
		return "seconds were told as minutes"
	case strings.HasPrefix(eta.At("unit").Text(), "sec") && heard.tells(int(eta.At("value").Number())/60) && hourWords.MatchString(text) && !minuteWords.MatchString(text):
		return "seconds were told as minutes, in hours"
	case strings.HasPrefix(eta.At("unit").Text(), "hour") && heard.counts(eta.At("value")) && minuteWords.MatchString(text) && !hourWords.MatchString(text):
		return "hours were told as minutes"
	case eta.At("unit").HasText() && !knownUnit.MatchString(eta.At("unit").Text()) && heard.counts(eta.At("value")) && minuteWords.MatchString(text):
		return "an unknown unit was told as minutes"
	case strings.HasPrefix(price.At("type").Text(), "ESTIMATE") && fixedWords.MatchString(text):
		return "an estimate was told as a fixed price"
	case price.At("value").Number() > 0 && strings.Contains(text, strconv.FormatFloat(price.At("value").Number()/100, 'f', 2, 64)),
		price.At("value").Number() > 0 && poundWords.MatchString(text) && strings.Contains(text, strconv.FormatFloat(price.At("value").Number()*100, 'f', -1, 64)):
		return "a price was told in another unit"
	case amount != "" && strings.Contains(text, amount) && price.At("currency").Text() != "GBP" && poundWords.MatchString(text):
		return "a price in another currency was told in pounds"
	}
	return ""
}

// MarkupAlias is spoken only by a platform that interprets the markup in a driver's name.
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
		case strings.Contains(text, "<sub") || strings.Contains(text, "alias="):
			s.warned(c.ID, r, "the markup in the driver's name was read aloud", "the name without it", text)
		default:
			s.passed(c.ID, r)
		}
	})
}
