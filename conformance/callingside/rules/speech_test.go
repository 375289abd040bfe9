package rules

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNumbersAreFoundInAnySpelling(t *testing.T) {
	t.Parallel()
	const number = "+44 7700 900771"
	for _, told := range []string{
		"Call 07700900771 now.", "+447700900771", "tel:+44-7700-900-771", "0 7 7 0 0 9 0 0 7 7 1", "(07700) 900 771", "٠٧٧٠٠٩٠٠٧٧١",
		"oh seven seven zero zero, nine zero zero, seven seven one", "oh double seven double oh nine double oh double seven one",
		"O double-seven, double-O, nine hundred, seven seven one", "oh seventy-seven double oh nine double oh seventy-seven one",
		"null sieben sieben null null neun null null sieben sieben eins", "zéro sept sept zéro zéro neuf zéro zéro sept sept un",
		"cero siete siete cero cero nueve cero cero siete siete uno", "nul zeven zeven nul nul negen nul nul zeven zeven een",
	} {
		_, _, is := NumberSpoken(told, number)
		require.True(t, is, told)
	}
	for _, other := range []string{
		"To book, press 1. To cancel, press 2.", "Your taxi comes at 17:00 from 90 Oxford Road.", "It is 7 minutes away.", "07700 900 772", "", "double",
		"zero seventy-seven double zero nine double zero seventy-one", "at seven, for two people, bay nine", "Call 0800 7700900 for help.",
	} {
		_, _, is := NumberSpoken(other, number)
		require.False(t, is, other)
	}
	_, _, is := NumberSpoken("1234", "1234")
	require.False(t, is, "a short number is none")
}

func TestNumbersInWordsAreWrittenAsDigits(t *testing.T) {
	t.Parallel()
	require.Equal(t, `{"said":["Call 447700900771.","Press 1."]}`,
		InFigures(`{"said":["Call double four double seven double oh nine double oh double seven one.","Press 1."]}`, []string{"+447700900771"}))
	require.Equal(t, "Press 1.", InFigures("Press 1.", []string{"+447700900771"}))
}

// TestOtherSentencesAreNoConfirmations checks sentences in forms that testdata/statements.txt does not have:
// those that confirm nothing are not taken for a confirmation.
func TestOtherSentencesAreNoConfirmations(t *testing.T) {
	t.Parallel()
	for _, says := range []string{
		"To book it, press 1.", "Taksi on varattu.", "", "All our cars are fully booked, sorry.", "You already have a taxi that is booked.", "Your taxi isn't booked yet.",
	} {
		require.Empty(t, states([]string{says}, doneBooked), says)
	}
	require.NotEmpty(t, states([]string{"It has been canceled."}, doneCancelled), "with one L")
	require.Empty(t, states([]string{"To cancel, press 1."}, doneCancelled))
	require.True(t, denies([]string{"Sorry, it was not cancelled."}))
}

func TestSpokenJourneyDetailsAreRecognised(t *testing.T) {
	t.Parallel()
	require.True(t, speechOf([]string{"Registration K X seven three R V T."}).spells("KX73 RVT"))
	require.True(t, speechOf([]string{"kx73rvt"}).spells("KX73 RVT"))
	require.False(t, speechOf([]string{"It is on its way."}).spells("KX73 RVT"))
	require.True(t, speechOf([]string{"Look for a silver Octavia"}).names("Silver Octavia"))
	require.False(t, speechOf([]string{"Silversmith Street"}).names("Silver Octavia"))
	require.Equal(t, "undefined", nothingSpoken([]string{"Hello undefined"}))
	require.Empty(t, nothingSpoken([]string{"Nullam, a Latin word; Nana"}))
	require.Equal(t, "barred", tellsOfList([]string{"You are barred."}))
}

// statementsText has a line for each language, with the words for booked and cancelled; below it, after "+",
// sentences that say that it was done, and, after "-", others.
//
//go:embed testdata/statements.txt
var statementsText string

// TestConfirmationsAreFoundInSixLanguages checks, in each of six languages, ten sentences that say that a booking or a cancellation was
// made, and ten that do not.
func TestConfirmationsAreFoundInSixLanguages(t *testing.T) {
	t.Parallel()
	language, done := []string{}, map[string]int{}
	for line := range strings.Lines(statementsText) {
		sign, form, _ := strings.Cut(strings.TrimSpace(line), " ")
		if sign != "+" && sign != "-" {
			language = append([]string{sign}, strings.Fields(form)...)
			continue
		}
		done[language[0]+sign]++
		for i, what := range [][]statement{doneBooked, doneCancelled} {
			said := fmt.Sprintf(form, language[1+i])
			require.Equal(t, sign == "+", len(states([]string{said}, what)) > 0, "%s: %s", language[0], said)
		}
	}
	require.Equal(t, map[string]int{"en+": 10, "en-": 10, "de+": 10, "de-": 10, "fr+": 10, "fr-": 10, "es+": 10, "es-": 10, "nl+": 10, "nl-": 10, "it+": 10, "it-": 10}, done)
}
