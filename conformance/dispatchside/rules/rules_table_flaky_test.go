package rules_test

// failedOnce is a call that failed and was made again, the nth of a history.
func failedOnce(n int, failed, again step) []step {
	again.again = n
	return []step{failed, again}
}

var (
	lateRead   = failedOnce(3, annReads.unanswered(), annReads)
	lateCancel = failedOnce(3, annCancels.unanswered(), annCancels.refused(409))
	lateBook   = failedOnce(2, annBooks.unanswered(), annBooks.but("j1", "j9"))
)

// manyLate are reads of which each is answered only when it is made again.
func manyLate(n int) []step {
	calls := annBooked
	for range n {
		calls = then(calls, failedOnce(len(calls)+1, annReads.refused(500), annReads)...)
	}
	return calls
}

var flakyRows = []row{
	{"W-01@status", "one late answer", flaky, then(annBooked, lateRead...), "an answer each time"},
	{"W-01@status", "two late answers", flaky, manyLate(2), ""},
	{"W-01@status", "three late answers of six", fails, manyLate(3), ""},
	{"W-01@status", "late twice", fails, then(annBooked, failedOnce(3, annReads.unanswered(), annReads.unanswered())...), ""},
	{"STA-01", "one late answer", passes, then(annBooked, lateRead...), ""},
	{"JRN-02", "one late answer", passes, inProbe("minimum functionality", then([]step{annBooks}, append(failedOnce(2, annReads.unanswered(), annReads), annCancels, annSees("CANCELLED"))...)...), ""},
	{"CAN-01", "refused after one that got no answer", unverified, then(annBooked, lateCancel...), ""},
	{"W-01@cancel", "refused after one that got no answer", flaky, then(annBooked, lateCancel...), ""},
	{"USR-18", "booked again, as the first got no answer", unverified, then([]step{annLooks}, append(lateBook, annListed(journeyAt("j9", "WAITING"), journeyAt("j1", "WAITING")))...), ""},
	{"BOK-19", "booked again, as the first got no answer", unverified, then([]step{annLooks}, append(lateBook, annListed(journeyAt("j9", "WAITING"), journeyAt("j1", "WAITING")))...), ""},
	{"W-01@status", "late as the suite's machine stood still", passes, then(annBooked, failedOnce(3, annReads.unanswered().stalling(), annReads)...), ""},
	{"TIM-01", "ten calls during which the suite's machine stood still", unverified, then(annBooked, times(10, annReads.in("timing").lasting(60e9).stalling())...), ""},
}
