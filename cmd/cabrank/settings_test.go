package main

import (
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

func TestFlagsPrecedeEnvironmentAndFile(t *testing.T) {
	s := newShell(t)
	s.Write("cabrank.json", `{"serve": {"speed": 0, "config-data": {"a": 1}}}`)
	require.Contains(t, s.Fails(cli.ExitUsage, "serve"), "--speed is 0, want 1 to 10000 (--speed is from cabrank.json)")
	s.Env["CABRANK_SERVE_SPEED"] = "fast"
	require.Contains(t, s.Fails(cli.ExitUsage, "serve"), `speed from CABRANK_SERVE_SPEED is "fast", want a whole number`)
	s.Env["CABRANK_SERVE_SPEED"] = "20000"
	require.Contains(t, s.Fails(cli.ExitUsage, "serve"), "--speed is 20000, want 1 to 10000 (--speed is from CABRANK_SERVE_SPEED)", "the environment wins over the file")
	require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--speed", "30000"), "--speed is 30000", "a flag wins over both")
	require.NotContains(t, s.Fails(cli.ExitUsage, "serve", "--speed", "30000"), "is from")
	s.Env["CABRANK_CONFIG"] = "missing.json"
	require.Contains(t, s.Fails(cli.ExitUsage, "serve"), "missing.json")
}

func TestSharedSettingsApplyUnlessOverridden(t *testing.T) {
	s := newShell(t)
	a, b := clitest.NewDown(t, (*httptest.Server).Start), clitest.NewDown(t, (*httptest.Server).Start)
	s.Write("cabrank.json", `{"url": "`+a.URL+`", "auth": ["bearer:shared"], "user": {"auth": "bearer:own"}}`)
	s.Fails(cli.ExitFindings, "user", calling.DemoCaller)
	require.Equal(t, "Bearer own", a.First.Header.Get("Authorization"), "what is said of the command wins")
	s.Env["CABRANK_USER_URL"] = b.URL
	s.Fails(cli.ExitFindings, "user", calling.DemoCaller)
	require.NotNil(t, b.First)
	b.First = nil
	s.Fails(cli.ExitUnreachable, "check", b.URL)
	require.Equal(t, "Bearer shared", b.First.Header.Get("Authorization"))

	require.NoError(t, os.Remove("cabrank.json"))
	delete(s.Env, "CABRANK_USER_URL")
	s.Env["CABRANK_URL"], s.Env["CABRANK_AUTH"] = b.URL, "bearer:env"
	b.First = nil
	s.Fails(cli.ExitFindings, "user", calling.DemoCaller)
	require.Equal(t, "Bearer env", b.First.Header.Get("Authorization"))
}

// TestSharedAddressIsUsedByCheckAndReady sets the address of the server once for all commands that call it.
func TestSharedAddressIsUsedByCheckAndReady(t *testing.T) {
	s := newShell(t)
	shared, own := clitest.NewDown(t, (*httptest.Server).Start), clitest.NewDown(t, (*httptest.Server).Start)
	s.Env["CABRANK_URL"] = shared.URL
	for _, command := range []string{"check", "ready"} {
		shared.First, own.First = nil, nil
		_, _, code := s.Run(command)
		require.NotEqual(t, cli.ExitUsage, code)
		require.NotNil(t, shared.First, command)
		for _, args := range [][]string{{command, own.URL}, {command, "--url", own.URL}} {
			shared.First, own.First = nil, nil
			s.Run(args...)
			require.NotNil(t, own.First, args)
			require.Nil(t, shared.First, args)
		}
	}
}

// TestASettingBelongsToItsCommand sets the output file of one command and runs another, which
// must not write to it.
func TestASettingBelongsToItsCommand(t *testing.T) {
	s := newShell(t)
	s.Write("run.json", "of an earlier run")
	s.Write("cabrank.json", `{"check": {"out": "run.json"}}`)
	s.Env["CABRANK_CHECK_OUT"] = "run.json"
	s.OK("check", "self", "--only", "CAN-01", "--quiet")
	require.Equal(t, "of an earlier run", clitest.Read(t, "run.json"))

	s.Write("cabrank.json", `{"check": {"self": {"out": "self.json", "only": ["CAN-01"], "quiet": true}}}`)
	s.OK("check", "self")
	require.FileExists(t, "self.json")
	s.Env["CABRANK_CHECK_SELF_OUT"] = "env.json"
	s.OK("check", "self")
	require.FileExists(t, "env.json")
}

func TestUnknownSettingsAreExplained(t *testing.T) {
	s := newShell(t)
	for text, says := range map[string]string{
		`{"serve": {"sped": 1}}`:                                "sped in own.json is not a setting of serve; near it: seed, speed",
		`{"serv": {"speed": 1}}`:                                "serv in own.json is neither a command nor a setting; near it: serve",
		`{"speed": 1}`:                                          `write it as {"demo": {"speed": …}} (it is a setting of demo, platform, serve)`,
		`{"seed": 1}`:                                           "check self",
		`{"check": {"self": {"advance": 1}}}`:                   "advance in own.json is not a setting of check self",
		`{"serve": 1}`:                                          `want its settings: {"serve": {…}}`,
		`{"serve": {"speed": null}}`:                            "speed in own.json is null; leave it out",
		`{"serve": {"speed": 1, "speed": 2}}`:                   "speed is there twice",
		`{"serve": {}, "serve": {}}`:                            "serve is there twice",
		`{"serve": {"db": 5}}`:                                  "db in own.json is 5, want a string",
		`{"serve": {"speed": [1, 2]}}`:                          `speed from own.json is "[1, 2]", want a whole number`,
		`{"serve": {"config": "x"}}`:                            "config in own.json is not a setting",
		`{"check": {"phone": ["1", null]}}`:                     "phone in own.json is null",
		`[]`:                                                    "want a JSON object",
		"{\n\"serve\": {}\n]":                                   "line 3, column 1",
		`{"book": {"to": ["x"], "from": "station"}}`:            "",
		"\ufeff" + `{"book": {"to": ["x"], "from": "station"}}`: "", // of an editor
	} {
		s.Write("own.json", text)
		if says == "" {
			require.Contains(t, s.Fails(cli.ExitUsage, "book", "--config", "own.json"), `no place "x"`)
			continue
		}
		require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--config", "own.json"), says, text)
	}
}

func TestUnknownVariablesAreExplained(t *testing.T) {
	for name, says := range map[string]string{
		"CABRANK_SERVE_SPEEED":     "did you mean CABRANK_SERVE_SPEED?",
		"CABRANK_SERVE_WINGS":      "CABRANK_SERVE_WINGS in the environment is not a setting",
		"CABRANK_CHEK_OUT":         "did you mean CABRANK_CHECK_OUT?",
		"CABRANK_CHEKC_OUT":        "did you mean CABRANK_CHECK_OUT?",
		"CABRANK_SPEED":            "did you mean CABRANK_DEMO_SPEED or CABRANK_PLATFORM_SPEED or CABRANK_SERVE_SPEED?",
		"CABRANK_SPEEED":           "did you mean CABRANK_DEMO_SPEED or CABRANK_PLATFORM_SPEED or CABRANK_SERVE_SPEED?",
		"CABRANK_SERVICE_HOST":     "", // what Kubernetes says of a service called cabrank
		"CABRANK_SERVE_PORT":       "",
		"CABRANK_PORT_8080_TCP":    "",
		"CABRANK_TOKEN":            "", // somebody's own secret
		"CABRANK_STORE_CRASH_FILE": "",
	} {
		s := newShell(t)
		s.Env[name] = "1"
		if says == "" {
			s.OK("check", "self", "--only", "CAN-01", "--quiet")
			continue
		}
		require.Contains(t, s.Fails(cli.ExitUsage, "samples"), says)
		s.OK("version") // whoever looks for the mistake
		s.OK("help", "serve")
		s.OK()
	}
}

// TestEmptyCredentialVariablesAreRefused leaves a variable for credentials empty; other variables may be empty.
func TestEmptyCredentialVariablesAreRefused(t *testing.T) {
	s := newShell(t)
	s.Env["CABRANK_SERVE_AUTH"], s.Env["CABRANK_SERVE_DB"], s.Env["CABRANK_URL"] = "", "", ""
	require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--listen", "127.0.0.1:0"), "--auth: want none, basic:USER:PASSWORD")
	s.Env["CABRANK_AUTH"] = ""
	require.Contains(t, s.Fails(cli.ExitUsage, "book"), "(--auth is from CABRANK_AUTH)")
}

// TestSettingsHaveOneMeaning looks for two settings with one name, in the file or in the
// environment, and for shared settings that only some commands share.
func TestSettingsHaveOneMeaning(t *testing.T) {
	shared := []string{"CABRANK_COLOR", "CABRANK_URL", "CABRANK_AUTH", "CABRANK_CA", "CABRANK_CERT", "CABRANK_KEY", "CABRANK_TOKEN"}
	alone := []string{
		"cabrank serve --auth", "cabrank demo --auth", "cabrank check caller --auth", "cabrank check caller --cert", "cabrank check caller --key", // what callers must show
		"cabrank repeat --url",  // where the run was made, unless told otherwise
		"cabrank samples --url", // nobody is asked, unless told otherwise
	}
	owners := map[string]string{}
	cli.Walk(cli.Root(cli.Outside{}, groups), func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name == "config" || f.Name == "help" || f.Name == "version" && !cmd.HasParent() {
				return // no settings
			}
			require.False(t, slices.ContainsFunc(cmd.Commands(), func(sub *cobra.Command) bool { return sub.Name() == f.Name }), "%s --%s is a command's name, too", cmd.CommandPath(), f.Name)
			for _, name := range cli.Variables(cmd, f) {
				if !slices.Contains(shared, name) {
					require.Empty(t, owners[name], "%s of %s", name, cmd.CommandPath())
					owners[name] = cmd.CommandPath()
				}
			}
			if !slices.Contains(alone, cmd.CommandPath()+" --"+f.Name) {
				variable := "CABRANK_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
				require.Equal(t, slices.Contains(shared, variable), cli.IsShared(f), "%s --%s", cmd.CommandPath(), f.Name)
			}
		})
	})
	require.Greater(t, len(owners), 100)
}

// TestCommandsShareTheDefaultCaller expects one default number in all commands that take a caller.
func TestCommandsShareTheDefaultCaller(t *testing.T) {
	s := newShell(t)
	for _, command := range []string{"call", "chat", "book", "status"} {
		require.Regexp(t, `--(from|phone) string .*`+calling.DemoCaller, s.OK(command, "--help"), command)
	}
}
