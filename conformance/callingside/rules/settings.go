package rules

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/cabrank/cabrank/conformance"
)

const overrides = operations + ": fields returned overwrite the static configuration"

var settingsRows = append([]row{
	{needing(needsCaller, check("P-21", must, onRequest, overrides, "Fields of data that /config returns override the static settings, field by field.", "A third party cannot switch anything off, or on again.", "Override the static settings with config.data for the request.")), judgeOverride},
	{needing(needsCaller, check("P-22", must, onRequest, overrides, "Fields that /config does not return keep their static value.", "One returned field clears the others.", "Override field by field; never replace the whole object.")), judgeKept},
	{needing(needsCaller, check("P-23", should, onRequest, overrides, "An override or a setting applies to its request only: the next request starts from its own settings, and the next /config can switch back.", "A feature that was off for an hour stays off.", "Start each request from the static settings.")), judgeSwitchBack},
	{needing(needsCaller, check("P-24", must, onRequest, userObject+", features", "With the feature voice off, no booking by voice is offered or made.", "A customer is charged for a service that they switched off.", "Put the caller through to a person.")), judgeVoiceOff},
	{check("P-33", robust, onRequest, objects, "Unknown features and options are ignored.", "A newer third party breaks every call.", "Look for the names that you know, and skip the others."), judgeUnknown},
	{needing(needsCaller, check("P-34", should, onRequest, userObject+", skipDropOff", "With skipDropOff true the caller is not asked for a drop-off.", "The call takes twelve seconds longer than its owner wants.", "Skip the question; the contents of dropoffs are open (A8).")), judgeSkip},
	{check("P-35", robust, onRequest, operations, "Any text is tolerated for the status of /config.", "An unknown word ends every call.", "Continue unless you know the word."), judgeWentOn},
	{check("P-36", robust, onRequest, ours, "If /config fails, the static settings apply or the call ends politely; the caller never hears silence.", "The caller hears nothing and hangs up.", "Say a sentence, and put the caller through."), judgePolite},
}, optionRows()...)

// optionRows returns the checks of the eight options, with their judges.
func optionRows() []row {
	var all []row
	names := map[string]string{
		optionJobID: "the job's number", optionVehicle: "the vehicle's description", optionReg: "the registration", optionETA: "the time of arrival",
		optionDriverName: "the driver's name", optionComingNow: "Coming Now", optionCallDriver: "calling the driver", optionCancel: "cancelling",
	}
	for _, f := range facts {
		c := check(f.check, should, onRequest, userObject+", options", "Option "+f.option+": "+names[f.option]+" is passed on when it is on, and not when it is off.",
			"The customer's setting is ignored.", "Check options before passing on "+names[f.option]+".")
		all = append(all, row{needing(needsCaller, c), judgeOption(f)})
	}
	return all
}

// judgeOption returns a judge that compares what was spoken or offered with the option of the fact.
// A pass for an option that is off needs a control: with the option on, the fact is passed on.
func judgeOption(f fact) func(*sheet, conformance.Check) {
	return func(s *sheet, c conformance.Check) {
		for _, r := range s.requests {
			sw := r.switches()
			on, clear := sw.option(f.option)
			is, known := f.perceived(r)
			voice, _ := sw.voice()
			if !known || !clear || !f.possible(r) || !voice && r.task.Channel == ChannelVoice {
				continue
			}
			switch {
			case is && !on:
				s.failed(c.ID, r, f.option+" is off but was passed on", "none of it", r.heardText(f))
			case is:
				s.passed(c.ID, r)
			case on && r.is(c.ID) && !s.controls[tells(f.option)]:
				s.untold(c, r, f)
			case !on && s.controls[tells(f.option)]:
				s.passed(c.ID, r)
			}
		}
	}
}

// untold records a failure since an option is on but its fact was never passed on. It is only a
// warning if the rules may not understand the language, or the words for the time of arrival.
func (s *sheet) untold(c conformance.Check, r *request, f fact) {
	message, expected := f.option+" is on but its fact was never passed on", "the fact from the third party"
	if f.offer == "" && (!s.controls[saysBooked] || f.option == optionETA && r.mayTellTime()) {
		s.warned(c.ID, r, message, expected, r.heardText(f))
		return
	}
	s.failed(c.ID, r, message, expected, r.heardText(f))
}

// mayTellTime reports whether what the caller heard may be the time of arrival, rounded or as a time of day.
func (r *request) mayTellTime() bool {
	said, _ := r.said()
	return roundedTime.MatchString(strings.Join(said, " "))
}

// roundedTime matches texts that may express the scenes' time of arrival: a time of day, or
// a rounded duration.
var roundedTime = regexp.MustCompile(`(?i)\b([01]?\d|2[0-3])[:.h][0-5]\d\b|\b(3[0-9]|4[0-5])\b|half an hour|halbe\w* stunde|demi-heure|media hora|half uur|mezz'?ora|(thirty|forty|dreißig|vierzig|trente|quarante|treinta|cuarenta|dertig|veertig|trenta|quaranta)`)

// heardText returns the text that a report shows for a fact: what the caller heard, or was offered.
func (r *request) heardText(f fact) string {
	if f.offer != "" {
		return "offered: " + strings.Join(r.answer.Offered, ", ")
	}
	said, _ := r.said()
	return strings.Join(said, " ")
}

// contradictions returns a phrase for each fact that does not follow the settings sw, among the
// settings that only selects, and how many facts could be judged.
func (s *sheet) contradictions(r *request, sw switches, only func(member string) bool) (wrong []string, seen int) {
	if only("options") {
		for _, f := range facts {
			on, clear := sw.option(f.option)
			is, known := f.perceived(r)
			if !known || !clear || !f.possible(r) || !s.controls[tells(f.option)] || s.ignored[f.option] {
				continue
			}
			seen++
			if on && !is && f.option == optionETA && r.mayTellTime() {
				continue
			}
			if is != on {
				wrong = append(wrong, fmt.Sprintf("%s is %s and was %s", f.option, onOff(on), passedOn(is)))
			}
		}
	}
	if asked, known := r.asked("dropoff"); only("skipDropOff") && known && !sw.openSkip && !s.ignored["skipDropOff"] && r.wants(WantBook) && s.controls[asksDropOff] && len(r.booked()) > 0 {
		seen++
		if asked == sw.skip {
			wrong = append(wrong, fmt.Sprintf("skipDropOff is %t and the drop-off was %s", sw.skip, askedFor(asked)))
		}
	}
	if voice, clear := sw.voice(); only("features") && clear && !s.ignored["features"] && r.user() != nil && r.task.Channel == ChannelVoice {
		if is, known := r.offered("book"); known && s.controls[offers("book")] {
			seen++
			if is != voice {
				wrong = append(wrong, fmt.Sprintf("voice is %s and booking was %s", onOff(voice), passedOn(is)))
			}
		}
	}
	return wrong, seen
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func passedOn(is bool) string {
	if is {
		return "passed on"
	}
	return "not passed on"
}

func askedFor(is bool) string {
	if is {
		return "asked for"
	}
	return "not asked for"
}

// followed judges whether requests follow the effective settings, limited to the members that which selects.
func (s *sheet) followed(c conformance.Check, which func(*switches) func(string) bool) {
	s.each(c.ID, func(r *request) {
		sw := r.switches()
		wrong, seen := s.contradictions(r, sw, which(&sw))
		switch {
		case r.answer == nil || len(r.calls) == 0:
			s.unclear(c.ID, r, conformance.NotSeen, needsCaller)
		case len(wrong) > 0:
			s.failed(c.ID, r, strings.Join(wrong, "; "), "the settings of /config, and the static settings where it has none", r.scene())
		case seen == 0:
			s.unclear(c.ID, r, conformance.NotSeen, "anything that the settings switch on or off")
		default:
			s.passed(c.ID, r)
		}
	})
}

func judgeOverride(s *sheet, c conformance.Check) {
	s.followed(c, func(sw *switches) func(string) bool { return func(m string) bool { return sw.configSays[m] } })
}

func judgeKept(s *sheet, c conformance.Check) {
	s.followed(c, func(sw *switches) func(string) bool { return func(m string) bool { return !sw.configSays[m] } })
}

func judgeSwitchBack(s *sheet, c conformance.Check) {
	s.followed(c, func(*switches) func(string) bool { return func(string) bool { return true } })
}

// judgeUnknown judges whether known features and options still apply, and the request continues, next to unknown names.
func judgeUnknown(s *sheet, c conformance.Check) {
	for r := range s.supported(c.ID) {
		sw := r.switches()
		wrong, _ := s.contradictions(r, sw, func(string) bool { return true })
		if r.failed == "" && len(wrong) > 0 {
			s.failed(c.ID, r, "with unknown names, "+strings.Join(wrong, "; "), "the known names apply", r.scene())
			continue
		}
		s.wantWentOn(c, r)
	}
}

func judgeVoiceOff(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		sw := r.switches()
		voice, clear := sw.voice()
		if r.task == nil || voice || !clear || r.task.Channel != ChannelVoice || !s.playable(c.ID, r) {
			continue
		}
		is, known := r.offered("book")
		switch {
		case len(r.booked()) > 0:
			s.failed(c.ID, r, "/book was sent although the feature voice is off", "no booking", sequence(r.ordinary()))
		case known && is:
			s.failed(c.ID, r, "a booking was offered although the feature voice is off", "no offer", strings.Join(r.answer.Offered, ", "))
		case len(r.calls) == 0 || !s.controls[offers("book")] && !s.controls[books]:
			s.unclear(c.ID, r, conformance.NotSeen, "the same with the feature voice on")
		case !known && r.task.Want == WantOffer:
			s.unclear(c.ID, r, conformance.NotSeen, needsCaller)
		default:
			s.passed(c.ID, r)
		}
	}
}

func judgeSkip(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		sw := r.switches()
		asked, known := r.asked("dropoff")
		if !sw.skip || !r.wants(WantBook) || len(r.booked()) == 0 {
			continue
		}
		switch {
		case !known:
			s.unclear(c.ID, r, conformance.NotSeen, needsCaller)
		case asked && sw.openSkip:
			s.warned(c.ID, r, "the caller was asked for a drop-off although skipDropOff of /user is true", "no question; whether data of /user wins is open (A9)", strings.Join(r.answer.Asked, ", "))
		case asked:
			s.failed(c.ID, r, "the caller was asked for a drop-off although skipDropOff is true", "no question", strings.Join(r.answer.Asked, ", "))
		case s.controls[asksDropOff]:
			s.passed(c.ID, r)
		default:
			s.unclear(c.ID, r, conformance.NotSeen, "the question with skipDropOff false")
		}
	}
}

func judgePolite(s *sheet, c conformance.Check) {
	for r := range s.supported(c.ID) {
		said, known := r.said()
		switch {
		case r.failed != "":
			s.failed(c.ID, r, "the platform failed at the request when /config failed", "the static settings, or a polite end", r.failed)
		case r.with(IntentDown) == nil:
			s.unclear(c.ID, r, conformance.NotSeen, "a call of /config")
		case r.goal() != nil, r.outcome() == OutcomePerson, known && len(said) > 0:
			s.passed(c.ID, r)
		case !known:
			s.unclear(c.ID, r, conformance.NotSeen, needsCaller)
		default:
			s.failed(c.ID, r, "the call ended and nothing was said", "a sentence, or a person", "outcome "+r.outcome())
		}
	}
}
