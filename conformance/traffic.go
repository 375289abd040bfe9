package conformance

// ReportOn returns a report on traffic that somebody else made, judged by the rules of
// a suite. target is the server's base address, for the reader.
func ReportOn(suite *Suite, target string, history []Exchange) *Report {
	rep := &Report{Suite: suite, Checks: suite.Verdicts(history), Target: target, Traffic: true, Leftovers: []Leftover{}}
	for i := range history {
		history[i].read()
		rep.Exchanges = append(rep.Exchanges, &history[i])
	}
	if len(history) > 0 {
		rep.Started = history[0].Started
		rep.Duration = history[len(history)-1].ended().Sub(rep.Started)
	}
	hidden := newPseudonyms(suite, nil).redactor(rep.Exchanges)
	hidden.results(rep.Checks)
	rep.Target, rep.Hide = hidden.url(target), hidden.exchange
	rep.Score(Scoring{}, rep.Started)
	return rep
}
