package controlling

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/control"
)

func TestTokensAreGivenToPersons(t *testing.T) {
	url, s := serveWith(t, "s3cret"), newShell(t)
	s.Env["CABRANK_TOKEN"] = "s3cret"
	require.Equal(t, "no tokens\n", s.OK("token", "--url", url))
	ann := strings.TrimSpace(s.OK("token", "add", "ann", "--may", "sandboxes", "--sandboxes", "2", "--for", "30d", "--url", url))
	require.Regexp(t, `^[A-Z2-7]{26,}$`, ann)
	made := as[control.NewToken](t, s.OK("token", "add", "grafana", "--may", "read", "--json", "--url", url))
	require.NotEmpty(t, made.Secret)
	s.OK("token", "add", "team", "--url", url)
	require.Equal(t, `ann      2 sandboxes   made 2026-06-01T08:00:00Z  until 2026-07-01T08:00:00Z
grafana  read          made 2026-06-01T08:00:00Z  does not expire
team     20 sandboxes  made 2026-06-01T08:00:00Z  does not expire
`, s.OK("token", "list", "--url", url))
	require.Contains(t, s.OK("__complete", "token", "remove", "--url", url, "--token", "s3cret", ""), "ann\ngrafana\n")
	require.Contains(t, s.OK("__complete", "token", "add", "ann", "--may", ""), "everything\n")
	require.Contains(t, s.Fails(cli.ExitFindings, "token", "add", "ann", "--url", url), "there is a token ann already; remove it first")
	require.Contains(t, s.Fails(cli.ExitUsage, "token", "add", "Ann", "--url", url), "NAME wants 1 to 40")
	require.Contains(t, s.Fails(cli.ExitUsage, "token", "add", "bob", "--may", "much", "--url", url), `--may is "much", want read, sandboxes or everything`)
	require.Contains(t, s.Fails(cli.ExitUsage, "token", "add", "bob", "--for", "soon", "--url", url), `--for is "soon", want a time such as`)
	require.Contains(t, s.Fails(cli.ExitUsage, "token", "list", "--may", "read", "--url", url), "--may does not go with 'cabrank token list'")

	s.Env["CABRANK_TOKEN"] = ann
	require.Contains(t, s.Fails(cli.ExitFindings, "token", "list", "--url", url), "this needs the right everything, and the token ann has the right sandboxes")
	s.OK("sandbox", "add", "one", "--label", "team=checkout", "--label", "ticket=TAX-17", "--ends", "8h", "--url", url)
	s.OK("sandbox", "add", "two", "--url", url)
	require.Contains(t, s.Fails(cli.ExitFindings, "sandbox", "add", "three", "--url", url), "ann has 2 of 2 sandboxes: one, two; end one of them")
	require.Contains(t, s.Fails(cli.ExitFindings, "sandbox", "add", "three", "--owner", "bob", "--url", url), "a sandbox for others needs the right everything")
	s.OK("clock", "advance", "--by", "1m", "--sandbox", "one", "--url", url)
	require.Contains(t, s.Fails(cli.ExitFindings, "clock", "advance", "--by", "1m", "--url", url), "needs the right everything")

	s.Env["CABRANK_TOKEN"] = "s3cret"
	require.Regexp(t, `(?m)^one .*  of ann, team=checkout, ticket=TAX-17, ends 2026-06-01T16:00:00Z$`, s.OK("sandbox", "list", "--owner", "ann", "--label", "team=checkout", "--url", url))
	require.NotContains(t, s.OK("sandbox", "list", "--owner", "ann", "--label", "team=checkout", "--url", url), "two")
	require.Equal(t, "no sandboxes\n", s.OK("sandbox", "--owner", "bob", "--url", url))
	for says, args := range map[string][]string{
		`--label is "team", want NAME=VALUE`: {"add", "--label", "team"},
		`--label is "a-b=c", want a label`:   {"list", "--label", "a-b=c"},
		`--ends is "soon", want a time`:      {"add", "--ends", "soon"},
		`--owner wants 1 to 40`:              {"add", "--owner", "Bob"},
		"--ends does not go with":            {"list", "--ends", "8h"},
	} {
		require.Contains(t, s.Fails(cli.ExitUsage, append(append([]string{"sandbox"}, args...), "--url", url)...), says)
	}
	require.Equal(t, "removed ann\n", s.OK("token", "remove", "ann", "--url", url))
	require.Contains(t, s.Fails(cli.ExitUsage, "token", "remove", "ann", "--url", url), "there is no token")
	require.Contains(t, s.Fails(cli.ExitUsage, "clock", "--url", url, "--token", ann), "--token or CABRANK_TOKEN")
}

func TestAServerWithoutATokenGivesNone(t *testing.T) {
	url, s := serve(t), newShell(t)
	require.Contains(t, s.Fails(cli.ExitFindings, "token", "add", "ann", "--url", url), "start it with --control-token")
	require.Equal(t, "no tokens\n", s.OK("token", "list", "--url", url))
}
