package rules

import (
	"regexp"
	"slices"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// lostRows are the checks about answers that do not arrive, or do not end, and their judges.
var lostRows = []row{
	{needing(needsCaller, check("P-80", robust, []conformance.Operation{OpBook, OpCancel}, ours, "If the answer to /book or /cancel is lost, the caller is not told that it was done, or not done, before /user or /status shows which.", "A taxi comes for nobody, or is charged.", "Read /user after /book and /status after /cancel; say that you do not know if that fails too.")), judgeLost},
	{check("P-81", robust, onRequest, ours, "A call that is never answered, or whose answer never ends, is aborted after some seconds.", "The caller waits on a silent line, and the line is never released.", "Limit the time of a call as a whole, its body included."), judgeEndless},
}

// judgeLost judges what the caller is told after the answer to a call was lost: the outcome only after a read, and the right
// one.
func judgeLost(s *sheet, c conformance.Check) {
	for r := range s.supported(c.ID) {
		lost, op := r.with(IntentLost), OpBook
		done, denied := doneBooked, deniedBooked
		if r.wants(WantCancel) {
			op, done, denied = OpCancel, doneCancelled, deniedCancelled
		}
		said, known := r.said()
		if lost == nil || !known || r.failed != "" {
			s.unclearFor(c.ID, op, conformance.NotSeen, "what the caller hears when the answer is lost: "+r.scene())
			continue
		}
		was, not := states(said, done), states(said, denied)
		looked, wasDone := r.lookedAfter(lost)
		falsely := looked && !wasDone && was != "" && not == "" && r.outcome() == OutcomeCompleted
		switch {
		case !looked && was+not != "":
			s.Fail(c.ID, "the caller was told the outcome before it was read: "+r.scene(), "/user or /status first", jsonvalue.Verbatim(was+not), lost)
		case looked && wasDone && not != "" && was == "":
			s.Fail(c.ID, "the caller was told that it was not done, but it was: "+r.scene(), "what the third party shows", jsonvalue.Verbatim(not), lost)
		case falsely:
			s.Fail(c.ID, "the caller was told that it was done, but it was not: "+r.scene(), "what the third party shows", jsonvalue.Verbatim(was), lost)
		default:
			s.Pass(c.ID, lost)
		}
	}
}

// lookedAfter reports whether the platform read the outcome of a lost call afterwards, and whether
// the last read showed that the call had been carried out.
func (r *request) lookedAfter(lost *conformance.Exchange) (looked, done bool) {
	calls, older := r.ordinary(), map[string]bool{}
	at := slices.Index(calls, lost) // their order, not their times: a coarse clock shows several calls at one moment
	for _, x := range calls[:at] {
		if x.Operation == OpUser {
			learn(older, x)
		}
	}
	for _, x := range calls[at+1:] {
		if !x.Succeeded() || x.Operation == OpConfig {
			continue
		}
		looked = true
		switch {
		case x.Operation == lost.Operation:
			done = true
		case lost.Operation == OpBook && x.Operation == OpUser:
			done = slices.ContainsFunc(x.Reply().At("activeBookings").Items(), isNew(older))
		case lost.Operation == OpCancel && x.Operation == OpStatus:
			done = statusOf(x.Reply()) == taxi.Cancelled
		case lost.Operation == OpCancel && x.Operation == OpUser:
			done = len(x.Reply().At("activeBookings").Items()) == 0
		}
	}
	return looked, done
}

// unclearFor records the reason why a check has no verdict on an operation.
func (s *sheet) unclearFor(id string, op conformance.Operation, kind conformance.ReasonKind, text string) {
	why := conformance.Because(kind, "%s", text)
	s.File(op, id, conformance.Finding{Outcome: conformance.NotVerified, Message: why.String(), Reason: &why})
}

// judgeEndless judges how long a platform waits for an answer that does not end.
func judgeEndless(s *sheet, c conformance.Check) {
	const longest = 15 * time.Second
	for r := range s.supported(c.ID) {
		if x := r.with(IntentEndless); x != nil && x.Took > longest {
			s.failed(c.ID, r, "the platform did not stop waiting: "+r.scene(), "it gives up after some seconds", x.Took.Round(time.Second).String())
			continue
		}
		s.wantEnd(c, r, IntentEndless)
	}
}

// The words that show that a sentence leaves open whether something was done, by language.
var (
	openEN = regexp.MustCompile(`\b(whether|if|know|sure|certain|may|might|clear|to)\b|\?`)
	openDE = regexp.MustCompile(`\b(ob|weiß|sicher|unklar|vielleicht|um)\b|\?`)
	openFR = regexp.MustCompile(`\b(si|sais|sûr|peut-être|pour)\b|\?`)
	openES = regexp.MustCompile(`\b(si|sé|seguro|quizás|para)\b|\?`)
	openNL = regexp.MustCompile(`\b(of|weet|zeker|misschien|om)\b|\?`)
	openIT = regexp.MustCompile(`\b(se|so|sicuro|forse|per)\b|\?`)
)

// deniedBooked are the statements that no taxi is booked, by language.
var deniedBooked = []statement{
	{regexp.MustCompile(`\b(not|couldn't|cannot|can't|wasn't|isn't|hasn't|unable|no taxi|failed)\b.*\b(book|booked|booking|reserved|confirmed)\b|\b(booking|taxi)\b.*\b(failed|not made)\b`), openEN},
	{regexp.MustCompile(`\b(nicht|kein\w*)\b.*(gebucht|bestellt|reserviert)`), openDE},
	{regexp.MustCompile(`\b(pas|aucun\w*)\b.*(réserv|command)`), openFR},
	{regexp.MustCompile(`\b(no|ningún)\b.*(reserv|pedid|confirmad)`), openES},
	{regexp.MustCompile(`\b(niet|geen)\b.*(geboekt|gereserveerd|besteld)`), openNL},
	{regexp.MustCompile(`\b(non|nessun\w*)\b.*(prenotat|confermat)`), openIT},
}

// deniedCancelled are the statements that a taxi was not cancelled, by language.
var deniedCancelled = []statement{
	{regexp.MustCompile(`\b(not|couldn't|cannot|can't|wasn't|isn't|hasn't|unable|failed)\b.*\bcancel\w*|\bstill (booked|on its way|coming)\b`), openEN},
	{regexp.MustCompile(`\bnicht\b.*(storniert|abgesagt|abbestellt)`), openDE},
	{regexp.MustCompile(`\bpas\b.*annul`), openFR},
	{regexp.MustCompile(`\bno\b.*(cancel|anul)`), openES},
	{regexp.MustCompile(`\bniet\b.*geannuleerd`), openNL},
	{regexp.MustCompile(`\bnon\b.*(annullat|cancellat)`), openIT},
}
