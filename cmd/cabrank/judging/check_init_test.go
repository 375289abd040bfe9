package judging

import (
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

// TestCheckInit writes a settings file, edits it as its reader would, and checks with it.
func TestCheckInit(t *testing.T) {
	s := newShell(t)
	a := clitest.NewDown(t, (*httptest.Server).Start)
	require.Equal(t, "wrote cabrank.json; edit it, then: cabrank check\n", s.OK("check", "init", a.URL))
	require.Contains(t, s.Fails(cli.ExitUsage, "check", "init"), "cabrank.json exists; choose another file with --out")
	s.Fails(cli.ExitUnreachable, "check")
	require.NotNil(t, a.First)

	require.Contains(t, s.OK("check", "init", a.URL, "--out", "mine.json"), "then: cabrank check --config mine.json\n")
	form, err := os.ReadFile("mine.json")
	require.NoError(t, err)
	edited := strings.Replace(string(form), `// "auth": [],`, `"auth": ["bearer:env:TOKEN", "header:X-Tenant:7"],`, 1)
	require.NotEqual(t, string(form), edited)
	require.NoError(t, os.WriteFile("mine.json", []byte(edited), 0o600))
	s.Env["TOKEN"] = "t"
	a.First = nil
	s.Fails(cli.ExitUnreachable, "check", "--config", "mine.json")
	require.Equal(t, "Bearer t", a.First.Header.Get("Authorization"))
	require.Equal(t, "7", a.First.Header.Get("X-Tenant"))

	all := regexp.MustCompile(`(?m)^    // ("[a-z-]+": .*),$`).ReplaceAllString(string(form), "    $1,")
	require.Contains(t, all, "\n    \"start\": \"\",\n")
	require.NoError(t, os.WriteFile("all.json", []byte(all), 0o600))
	require.NotContains(t, s.Fails(cli.ExitUnreachable, "check", "--config", "all.json"), "all.json", "each is a setting, and of its type")
}
