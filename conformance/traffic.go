package conformance

// ReportOn returns a report on traffic that somebody else made, judged by the
// same rules. target is the server's base address, for the reader.
func ReportOn(target string, history []Exchange) *Report {
	rep := &Report{Checks: Judge(history), Target: target, Traffic: true, Leftovers: []Leftover{}}
	for i := range history {
		history[i].read()
		rep.Exchanges = append(rep.Exchanges, &history[i])
	}
	if len(history) > 0 {
		rep.Started = history[0].Started
		rep.Duration = history[len(history)-1].ended().Sub(rep.Started)
	}
	rep.hidden = newPseudonyms(nil).mask(rep.Exchanges)
	rep.hidden.results(rep.Checks)
	rep.Target = rep.hidden.url(target)
	rep.Score(Scoring{}, rep.Started)
	return rep
}
