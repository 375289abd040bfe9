package judging

import (
	"net/http/httptest"
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
	form := clitest.Read(t, "mine.json")
	edited := strings.Replace(form, `// "auth": [],`, `"auth": ["bearer:env:TOKEN", "header:X-Tenant:7"],`, 1)
	require.NotEqual(t, form, edited)
	s.Write("mine.json", edited)
	s.Env["TOKEN"] = "t"
	a.First = nil
	s.Fails(cli.ExitUnreachable, "check", "--config", "mine.json")
	require.Equal(t, "Bearer t", a.First.Header.Get("Authorization"))
	require.Equal(t, "7", a.First.Header.Get("X-Tenant"))

	all := regexp.MustCompile(`(?m)^    // ("[a-z-]+": .*),$`).ReplaceAllString(form, "    $1,")
	require.Contains(t, all, "\n    \"start\": \"\",\n")
	s.Write("all.json", all)
	require.NotContains(t, s.Fails(cli.ExitUnreachable, "check", "--config", "all.json"), "all.json", "each is a setting, and of its type")
}
