package report

import "github.com/cabrank/cabrank/conformance"

// flagsOf are the flags of 'cabrank check' by the aid that they give to a run.
var flagsOf = map[conformance.Aid]string{
	conformance.AidAdvance:     "--advance-url or --advance-cmd",
	conformance.AidRestart:     "--restart-cmd",
	conformance.AidClock:       "--clock-url",
	conformance.AidFixtures:    "--fixtures",
	conformance.AidAgreed:      `"agreed" in --fixtures`,
	conformance.AidBarred:      `"disabled" and "blacklisted" in --fixtures`,
	conformance.AidAuth:        "--auth",
	conformance.AidNumbers:     "--phone",
	conformance.AidHTTPS:       "an https:// address",
	conformance.AidZone:        "--zone",
	conformance.AidAuthority:   "--ca",
	conformance.AidCertificate: "--cert and --key",
	conformance.AidTime:        "--timeout",
}

// FlagsFor returns the flags of 'cabrank check' with which an operator gives an aid to a run; "": there is
// no such flag.
func FlagsFor(a conformance.Aid) string { return flagsOf[a] }

// withAdvice returns a sentence with the flags added that give an aid, if there are any.
func withAdvice(text string, a conformance.Aid) string {
	if flagsOf[a] == "" {
		return text
	}
	return text + "; give " + flagsOf[a]
}

// messageOf returns a finding's message, with the flags that may help.
func messageOf(f conformance.Finding) string {
	if f.Reason == nil {
		return f.Message
	}
	return withAdvice(f.Message, f.Reason.Aid)
}

// gistOf describes a finding in one line, with the flags that may help.
func gistOf(f conformance.Finding) string {
	f.Message = messageOf(f)
	return f.Gist()
}

// summaryLine returns the message of a result's first finding, with the flags that may help, or else the
// check's requirement.
func summaryLine(r conformance.Result, c conformance.Check) string {
	if len(r.Findings) > 0 {
		return messageOf(r.Findings[0])
	}
	return c.Requirement
}

// cureOf returns what to do about a cause, with the flags that may help.
func cureOf(c conformance.Cause) string { return cureWith(c.Cure, c.Aid) }

// stepCure returns what to do about a step of the preflight, with the flags that may help.
func stepCure(s conformance.Step) string { return cureWith(s.Cure, s.Aid) }

func cureWith(cure string, a conformance.Aid) string {
	if flagsOf[a] == "" {
		return cure
	}
	return cure + " (" + flagsOf[a] + ")"
}

// CureOf returns what to do about a step of a preflight that failed, with the flags of 'cabrank check' that
// may help.
func CureOf(s conformance.Step) string { return stepCure(s) }

// CureOfCause returns what to do about a cause, with the flags of 'cabrank check' that may help.
func CureOfCause(c conformance.Cause) string { return cureOf(c) }
