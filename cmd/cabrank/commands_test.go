package main

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// TestEveryCommandHasAnExample checks that the help of each command has a summary and an example, and that each
// command is in a group of the help.
func TestEveryCommandHasAnExample(t *testing.T) {
	cli.Walk(cli.Root(cli.Outside{}, groups), func(cmd *cobra.Command) {
		require.NotEmpty(t, cmd.Short, cmd.CommandPath())
		if cmd.HasSubCommands() && cmd.HasParent() && !cmd.HasAvailableLocalFlags() {
			return // it only holds others
		}
		require.Contains(t, cmd.Example, cmd.CommandPath(), "an example of %s", cmd.CommandPath())
		require.True(t, cmd.GroupID != "" || cmd.Parent() != cmd.Root(), "%s is in no group of the help", cmd.CommandPath())
	})
}

// earlierLines name commands that are actions of another one now. Scripts have them.
var earlierLines = []string{
	"clock pause --sandbox ann --json", "clock speed 60 --url http://h", "clock advance --by 15m", "clock advance --to 2026-06-02T09:00:00Z --token t",
	"clock advance --until COMPLETE --journey J3W8R2 --within 2h --sandbox ann --json",
	"completion bash", "completion bash --no-descriptions", "completion zsh", "completion zsh --no-descriptions", "completion fish",
	"completion fish --no-descriptions", "completion powershell", "completion powershell --no-descriptions",
	"fault list", "fault list --json --sandbox ann", "fault rm f-1 f-2 --url http://h", "fault rm --all --sandbox ann",
	"fault catalogue", "fault catalogue status --json",
	"help clock pause", "help snapshot save", "help platform account client",
	"journeys hold latest", "journeys release latest --json", "journeys reassign latest", "journeys reassign latest --vehicle car-7",
	"journeys transition latest WAITING --event drop", "journeys transition latest COMPLETE --force --sandbox ann",
	"journeys script latest 30s:ACCEPTED 10s:drop", "journeys script next 5s:ACCEPTED --phone 442079460020",
	"platform account", "platform account add X --mbn 44 --domain d --country gb", "platform account client X --control-token t --platform http://h",
	"platform ddi", "platform ddi add 441632960104 --account X", "platform user", "platform user add X --role VoiceChannel", "platform user password X --ca f",
	"sandbox list --json", "sandbox add", "sandbox rm ann --url http://h",
	"sandbox add ann --behaviour calm --cars 5 --demand none --empty --now 2026-06-01T08:00:00Z --scenario s --seed 7 --town none --ttl 10m --variation 2",
	"scenario list", "scenario start no-cars --sandbox ann", "scenario follow", "scenario follow run-2 --within 2m --json", "scenario finish", "scenario finish run-2",
	"snapshot list", "snapshot save x", "snapshot restore x", "snapshot rm x --json",
	"vehicles breakdown car-1", "vehicles breakdown car-1 --for 30m", "vehicles position car-1 --at 54.698,2.091",
}

func TestEarlierLinesAreStillUnderstood(t *testing.T) {
	for _, line := range earlierLines {
		root := cli.Root(cli.Outside{}, groups)
		root.InitDefaultHelpCmd()
		cmd, args, err := root.Find(strings.Fields(line))
		require.NoError(t, err, line)
		require.NoError(t, cmd.ParseFlags(args), line)
		require.NoError(t, cmd.ValidateArgs(cmd.Flags().Args()), line)
	}
}

// TestActionsRefuseFlagsOfOtherActions expects a flag of another action to be refused, and never ignored.
func TestActionsRefuseFlagsOfOtherActions(t *testing.T) {
	s := newShell(t)
	for line, says := range map[string]string{
		"vehicles position x --for 1m":       "--for does not go with 'cabrank vehicles position'",
		"journeys --force":                   "--force does not go with 'cabrank journeys'",
		"journeys hold latest --status X":    "--status does not go with 'cabrank journeys hold'",
		"fault catalogue --url http://h":     "--url does not go with 'cabrank fault catalogue'",
		"clock --by 15m":                     "--by does not go with 'cabrank clock show'",
		"snapshot save":                      `want "cabrank snapshot save NAME [flags]", got 0 arguments`,
		"clock speed 1 2":                    `want "cabrank clock speed N [flags]", got 2 arguments`,
		"journeys script latest":             `want "cabrank journeys script ID STEP … [flags]", got 1 argument`,
		"completion ksh":                     `there is no command "ksh"`,
		"completion bash --config nosuch.js": "",
	} {
		if says == "" {
			s.OK(strings.Fields(line)...)
			continue
		}
		require.Contains(t, s.Fails(cli.ExitUsage, strings.Fields(line)...), says, line)
	}
	require.Contains(t, s.Fails(cli.ExitUnreachable, "journeys", ""), "an id or a name is empty")
}

// untested are flags of the voice platform that no test gives yet; the list may only
// get shorter.
var untested = []string{"allow-private-hooks", "fast-retries", "insecure", "recordings"}

// TestEveryFlagIsTested looks for each flag in the command lines of the tests. A
// flag of a group that several commands share is one flag.
func TestEveryFlagIsTested(t *testing.T) {
	tests := testTexts(t)
	cli.Walk(cli.Root(cli.Outside{}, groups), func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && !slices.Contains(untested, f.Name) && !strings.Contains(tests, `"--`+f.Name+`"`) {
				t.Errorf("no test has --%s of %q", f.Name, cmd.CommandPath())
			}
		})
	})
}

// testTexts are the test files below this folder, without this one.
func testTexts(t *testing.T) string {
	var texts strings.Builder
	t.Helper()
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") && !strings.HasPrefix(path, "clitest") || path == "commands_test.go" || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		texts.Write(text)
		return err
	})
	require.NoError(t, err)
	return texts.String()
}

// TestUnknownSubcommandExitsWithUsageError expects exit code 2 for a subcommand that does not exist, so
// that scripts stop.
func TestUnknownSubcommandExitsWithUsageError(t *testing.T) {
	s := newShell(t)
	require.Contains(t, s.Fails(cli.ExitUsage, "sandbox", "ad", "bob"), "did you mean add?")
	require.Contains(t, s.Fails(cli.ExitUsage, "fault", "inject", "x"), `there is no command "inject"`)
	require.Contains(t, s.OK("platform", "account"), "Actions:")
	var each func(cmd *cobra.Command)
	each = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			each(sub)
		}
		if cmd.HasSubCommands() && cmd.Name() != "help" {
			args := append(pathTo(cmd), "no-such-command", "other", "words")
			s.Fails(cli.ExitUsage, args...)
		}
	}
	each(cli.Root(cli.Outside{}, groups))
}

// pathTo are the names that lead to a command.
func pathTo(cmd *cobra.Command) []string {
	if !cmd.HasParent() {
		return nil
	}
	return append(pathTo(cmd.Parent()), cmd.Name())
}

// TestRedirectsAreNotFollowed redirects callers to another server: no command calls that server,
// with a token or without.
func TestRedirectsAreNotFollowed(t *testing.T) {
	var followed atomic.Int64
	there := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { followed.Add(1) }))
	t.Cleanup(there.Close)
	here := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", there.URL+r.URL.Path)
		w.WriteHeader(http.StatusTemporaryRedirect)
	}))
	t.Cleanup(here.Close)
	s := newShell(t)
	for _, line := range []string{
		"check HERE --quiet",
		"check caller --listen 127.0.0.1:0 --drive HERE/drive --only P-01 --quiet --max-time 5s",
		"ready HERE",
		"call 441632960101 --from 442079460001 --platform HERE --control-token secret",
		"chat --from 442079460030 --platform HERE --control-token secret",
		"platform user add night --platform HERE --control-token secret",
		"sandbox list --url HERE --token secret",
		"book --url HERE --auth bearer:secret --from station --to airport --phone 442079460001",
		"samples --places --url HERE",
	} {
		_, said, code := s.Run(strings.Fields(strings.ReplaceAll(line, "HERE", here.URL))...)
		require.NotZero(t, code, line)
		require.NotContains(t, said, "unknown flag", line)
		require.Zero(t, followed.Load(), line)
	}
}
