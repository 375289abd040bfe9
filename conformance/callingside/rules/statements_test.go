package rules

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// statementsText has a line for each language, with the words for booked and cancelled; below it, after "+",
// sentences that say that it was done, and, after "-", others.
//
//go:embed testdata/statements.txt
var statementsText string

// TestStatements has ten sentences by language that say that it was done, and ten that
// do not, for a booking and for a cancellation.
func TestStatements(t *testing.T) {
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
