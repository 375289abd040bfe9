package conformance

// flagsOf are the flags of 'cabrank check' that lend an aid to a run.
var flagsOf = map[Aid]string{
	AidAdvance:     "--advance-url or --advance-cmd",
	AidRestart:     "--restart-cmd",
	AidFixtures:    "--fixtures",
	AidAuth:        "--auth",
	AidNumbers:     "--phone",
	AidHTTPS:       "an https:// address",
	AidZone:        "--zone",
	AidAuthority:   "--ca",
	AidCertificate: "--cert and --key",
	AidTime:        "--timeout",
}

// FlagsFor names the flags of 'cabrank check' that lend the aid; "": there is none.
func FlagsFor(a Aid) string { return flagsOf[a] }

// withAdvice adds to a sentence which flags may help, if there are any.
func withAdvice(text string, a Aid) string {
	if flagsOf[a] == "" {
		return text
	}
	return text + "; give " + flagsOf[a]
}

// messageOf returns a finding's message, with the flags that may help.
func messageOf(f Finding) string {
	if f.Reason == nil {
		return f.Message
	}
	return withAdvice(f.Message, f.Reason.Aid)
}

// summaryLine says in a sentence how a check came off, with the flags that may help.
func summaryLine(r Result, c Check) string {
	if len(r.Findings) > 0 {
		return messageOf(r.Findings[0])
	}
	return c.Requirement
}

// cureOf says what to do about a cause, with the flags that may help.
func cureOf(c Cause) string { return cureWith(c.Cure, c.Aid) }

// stepCure says what to do about a step of the preflight, with the flags that may
// help.
func stepCure(s Step) string { return cureWith(s.Cure, s.Aid) }

func cureWith(cure string, a Aid) string {
	if flagsOf[a] == "" {
		return cure
	}
	return cure + " (" + flagsOf[a] + ")"
}
