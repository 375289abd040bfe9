package spoken_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// FuzzPromptFile reads a prompt file in which one prompt was written by somebody: it is refused
// with its line, or every prompt can be said and written.
func FuzzPromptFile(f *testing.F) {
	whole, err := os.ReadFile("prompts/en-GB.tmpl")
	require.NoError(f, err)
	const mark = "{{define \"M1\"}}\n"
	before, after, found := strings.Cut(string(whole), mark)
	require.True(f, found)
	_, after, _ = strings.Cut(after, "{{end}}\n")
	for _, seed := range []string{
		"The map shows it.", "{{if .phone}}Press {{.key}}.{{end}}", "{{.nothing}}", "{{if}}", "{{end}}", "{{define \"M1\"}}", "{{range .x}}{{end}}",
		"{{/* a comment */}}", "{{if and .place1 (not .keys)}}{{.place1}}{{end}}", "{{template \"M1\"}}", "{{.when | printf \"%d\"}}", "\xff", "{{",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, prompt string) {
		prompts, err := spoken.Load(folder("en-GB.tmpl", before+mark+prompt+"\n{{end}}\n"+after))
		if err != nil {
			require.Contains(t, err.Error(), "en-GB.tmpl:")
			return
		}
		s := prompts.Speaker("en-GB", spoken.SpeakerOptions{Now: func() time.Time { return time.Unix(0, 0) }})
		for _, id := range spoken.PromptIDs() {
			_, _, _ = s.Say(id, spoken.Slots{}), s.Short(id, spoken.Slots{}), s.Write(id, spoken.Slots{})
		}
	})
}
