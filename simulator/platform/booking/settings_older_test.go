package booking

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestUnreadablePromptsAreReplaced checks that stored prompts that this version cannot read are replaced by the built-in
// ones, and that this is logged once.
func TestUnreadablePromptsAreReplaced(t *testing.T) {
	var log strings.Builder
	d := New(Options{Now: time.Now, Log: slog.New(slog.NewTextHandler(&log, nil))})
	saved := Settings{Prompts: map[string]string{"en-GB": "{{define \"X2\"}}\n{{with .name}}Bye {{.}}.{{end}}\n{{end}}\n"}}
	for range 2 {
		require.NotNil(t, d.prompts(saved))
	}
	require.Equal(t, 1, strings.Count(log.String(), "built-in ones are used"))
	require.Contains(t, log.String(), "is not understood")
}
