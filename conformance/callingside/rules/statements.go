package rules

import (
	"regexp"
	"strings"
)

// A statement recognises a claim in one language, such as that something was done.
type statement struct {
	says  *regexp.Regexp // such as "is booked"
	other *regexp.Regexp // exceptions: a denial, a condition, an offer
}

var (
	notEN = regexp.MustCompile(`\b(not|cannot|can't|couldn't|could|isn't|hasn't|wasn't|haven't|won't|unable|no|never|sorry|unfortunately|fail\w*|if|whether|when|once|until|before|would|will|to be|trying|already|another|press|say)\b|n['’]t|\?`)
	notDE = regexp.MustCompile(`\b(nicht|kein\w*|leider|konnte\w*|wenn|sobald|falls|ob|wird|werden|bevor|bereits)\b|drücken|\?`)
	notFR = regexp.MustCompile(`\b(ne|n|pas|impossible|malheureusement|si|quand|sera|pour|tapez|appuyez)\b|n['’]|désolé|déjà|\?`)
	notES = regexp.MustCompile(`\b(no|lo siento|lamentablemente|si|cuando|para|ya|pulse|marque)\b|será|\?`)
	notNL = regexp.MustCompile(`\b(niet|geen|helaas|kon|konden|als|wanneer|wordt|druk|al)\b|\?`)
	notIT = regexp.MustCompile(`\b(non|purtroppo|spiacente|se|quando|per|premi|prema)\b|sarà|già|\?`)
)

// doneBooked are the statements that a taxi is booked, by language. Doubtful sentences do
// not match.
var doneBooked = []statement{
	{regexp.MustCompile(`\b((is|are|has been|have been|it's|'s|taxi's|cab's|that's) (now |all |successfully )?(booked|reserved|confirmed)|(i|we)(ha|'|’)?( ha)?ve (now )?booked|booked for you|booking (is|has been) (confirmed|made|accepted|complete))`), notEN},
	{regexp.MustCompile(`\b((ist|sind|wurde|wurden)( \S+){0,4} (gebucht|bestellt|reserviert|bestätigt)|habe( \S+){0,6} (gebucht|bestellt))`), notDE},
	{regexp.MustCompile(`\b(est|a été|sont)( \S+){0,2} (réservé|commandé|confirmé)`), notFR},
	{regexp.MustCompile(`\b(está|ha sido|queda)( \S+){0,2} (reservad|confirmad|pedid)`), notES},
	{regexp.MustCompile(`\b(is|zijn|werd)( \S+){0,3} (geboekt|gereserveerd|besteld|bevestigd)`), notNL},
	{regexp.MustCompile(`((?:^|\s)è|\bsono)( stato| stata)?( \S+){0,2} (prenotat|confermat)`), notIT},
}

// comes are the statements that a taxi is on its way, or there, by language.
var comes = []statement{
	{regexp.MustCompile(`\b((is|are|it's|'s|taxi's|car's|driver's) (now |already |just )?(on (its|his|her|their|the) way|outside|at the door)|(has|have|'s|'ve) (now |just )?arrived)\b`), notEN},
	{regexp.MustCompile(`\b(ist|sind)( \S+){0,3} (unterwegs|angekommen|eingetroffen)\b`), notDE},
	{regexp.MustCompile(`\best( \S+){0,2} (en route|en chemin|arrivé)`), notFR},
	{regexp.MustCompile(`\b(está|va|ha)( \S+){0,2} (en camino|llegado)\b`), notES},
	{regexp.MustCompile(`\bis( \S+){0,2} (onderweg|aangekomen|gearriveerd)\b`), notNL},
	{regexp.MustCompile(`(?:^|\s)è( \S+){0,2} (in arrivo|per strada|arrivat)`), notIT},
}

// doneEnded are the statements that a journey has ended, by language.
var doneEnded = []statement{
	{regexp.MustCompile(`\b(complete|completed|finished|ended|is over)\b`), notEN},
	{regexp.MustCompile(`\b(beendet|abgeschlossen)\b`), notDE},
	{regexp.MustCompile(`\bterminée?`), notFR},
	{regexp.MustCompile(`\b(terminado|finalizado)\b`), notES},
	{regexp.MustCompile(`\b(afgelopen|voltooid)\b`), notNL},
	{regexp.MustCompile(`\b(terminata|conclusa)\b`), notIT},
}

// doneCancelled are the statements that a taxi is cancelled, by language.
var doneCancelled = []statement{
	{regexp.MustCompile(`\b((is|are|has been|have been|it's|'s|taxi's|that's|was) (now |successfully )?cancell?ed|(i|we)( ha|'|’)ve (now )?cancell?ed|booking cancell?ed)`), notEN},
	{regexp.MustCompile(`\b((ist|sind|wurde|wurden)( \S+){0,4} (storniert|abgesagt|abbestellt)|habe( \S+){0,6} (storniert|abgesagt|abbestellt))`), notDE},
	{regexp.MustCompile(`\b(est|a été|sont)( \S+){0,2} annulé`), notFR},
	{regexp.MustCompile(`\b(está|ha sido|queda)( \S+){0,2} (cancelad|anulad)`), notES},
	{regexp.MustCompile(`\b(is|zijn|werd)( \S+){0,3} geannuleerd`), notNL},
	{regexp.MustCompile(`((?:^|\s)è|\bsono)( stato| stata)?( \S+){0,2} (annullat|cancellat)`), notIT},
}

// states returns the first sentence that makes one of the statements, or "" if none does.
func states(said []string, what []statement) string {
	for _, text := range said {
		for _, sentence := range sentences(text) {
			low := strings.ToLower(sentence)
			for _, st := range what {
				if st.says.MatchString(low) && !st.other.MatchString(low) {
					return strings.TrimSpace(sentence)
				}
			}
		}
	}
	return ""
}

// denial matches a sentence about a failure, in the languages of the rules.
var denial = regexp.MustCompile(`\b(not|cannot|couldn|unable|sorry|unfortunately|fail\w*|still (booked|on|coming)|nicht|leider|pas|impossible|no se|lamentablemente|niet|helaas|non|purtroppo)\b|désolé|n['’]t`)

func denies(said []string) bool {
	return denial.MatchString(strings.ToLower(strings.Join(said, " ")))
}

// sentences splits a text into sentences with their punctuation.
func sentences(text string) []string {
	return strings.SplitAfter(strings.NewReplacer("! ", "!\x00", ". ", ".\x00", "? ", "?\x00", "; ", ";\x00", "\n", "\x00").Replace(text), "\x00")
}

// listWords matches words that reveal to a caller that they are on a list.
var listWords = regexp.MustCompile(`(?i)\b(black-?\s?list\w*|barred|banned|blocked|gesperrt|schwarze\w* liste|liste noire|lista negra|bloquead\w*|zwarte lijst|geblokkeerd)\b|bloqué`)

// tellsOfList returns the first word that reveals to a caller that they are on a list, or "".
func tellsOfList(said []string) string { return listWords.FindString(strings.Join(said, " ")) }

// slip matches what programs print for absent values, such as "undefined", and template syntax.
var slip = regexp.MustCompile(`\b(undefined|NaN|null|None|nil)\b|\[object Object\]|<nil>|%!\w|\{\{|\}\}|\$\{|<no value>`)

// nothingSpoken returns the first text that slip matches in what was said, or "". The German word
// "null" and the English "nil" can be numbers, but no scene has such a number.
func nothingSpoken(said []string) string { return slip.FindString(strings.Join(said, " ")) }
