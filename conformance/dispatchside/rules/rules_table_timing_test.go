package rules_test

import (
	"slices"
	"time"
)

var (
	duringSlow = configAsked.tries("beside")
	inTime     = configAsked.answering("Date", "Mon, 12 Oct 2026 09:00:01 GMT")
	summerEnds = annBooks.sending(atTen, `2026-10-25T01:30:00+01:00`).intends("seasons")
)

// timingRows are the rows of how long answers take, and of clocks.
var timingRows = []row{
	{"TIM-01", "half a second", passes, timed(10, configAsked.lasting(time.Second/2)), ""},
	{"TIM-01", "three seconds", warns, timed(10, configAsked.lasting(3*time.Second)), ""},
	{"TIM-01", "six seconds", fails, timed(10, configAsked.lasting(6*time.Second)), ""},
	{"TIM-01", "six seconds for one operation of two", fails, then(timed(10, configAsked), timed(10, annLooks.lasting(6*time.Second))...), ""},
	{"TIM-01", "six seconds for one call of twenty", passes, then(timed(19, configAsked), timed(1, configAsked.lasting(6*time.Second))...), ""},
	{"TIM-01", "nine calls", unverified, timed(9, configAsked.lasting(6*time.Second)), ""},
	{"TIM-01", "six seconds for somebody else", fails, times(10, configAsked.in("").lasting(6*time.Second)), ""},
	{"TIM-01", "six seconds in another probe", unverified, times(10, configAsked.lasting(6*time.Second)), ""},
	{"TIM-01", "refusals", unverified, timed(10, configAsked.refused(503).lasting(6*time.Second)), ""},

	{"CFG-10", "half a second", passes, timed(10, configAsked.lasting(time.Second/2)), ""},
	{"CFG-10", "a second and a half", fails, timed(10, configAsked.lasting(3*time.Second/2)), ""},
	{"CFG-10", "nine calls", unverified, timed(9, configAsked.lasting(3*time.Second/2)), ""},
	{"CFG-10", "ten calls of another operation", unverified, timed(10, annLooks.lasting(3*time.Second/2)), ""},

	{"TIM-02", "answered meanwhile", passes, []step{duringSlow}, ""},
	{"TIM-02", "not answered meanwhile", fails, []step{duringSlow.unanswered()}, ""},
	{"TIM-02", "nobody tried", unverified, []step{configAsked}, ""},

	{"TIM-03", "as quick as at first", passes, worn(100, 10*time.Millisecond), ""},
	{"TIM-03", "a second more", fails, worn(100, time.Second), ""},
	{"TIM-03", "forty milliseconds more", passes, worn(100, 50*time.Millisecond), ""},
	{"TIM-03", "few bookings", unverified, worn(99, time.Second), ""},

	{"TIM-04", "the same time", passes, []step{inTime}, ""},
	{"TIM-04", "an hour late", fails, []step{inTime.answering("Date", "Mon, 12 Oct 2026 08:00:01 GMT")}, ""},
	{"TIM-04", "no Date", unverified, []step{configAsked}, ""},

	{"TIM-05", "the instant is kept", passes, []step{summerEnds, annReads.but(atTen, `2026-10-25T00:30:00Z`)}, ""},
	{"TIM-05", "an hour late", fails, []step{summerEnds, annReads.but(atTen, `2026-10-25T01:30:00Z`)}, "/date"},
	{"TIM-05", "refused", unverified, []step{summerEnds.refused(400)}, ""},
}

// timed makes a call again and again, alone.
func timed(n int, s step) []step { return inProbe("timing", times(n, s.intends("timed"))...) }

// worn is a history of quick calls, bookings, and calls that take longer.
func worn(bookings int, later time.Duration) []step {
	return slices.Concat(
		inProbe("first impressions", times(10, configAsked.intends("timed"))...),
		times(bookings, annBooks.sending("1 Mill", "# Mill").but("j1", "j#")),
		timed(10, configAsked.lasting(later)),
	)
}
