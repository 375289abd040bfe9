package main

import (
	"bytes"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func TestWhereSettingsComeFrom(t *testing.T) {
	s := newShell(t)
	writeFile(t, settingsFile, `{"serve": {"speed": 0, "config-data": {"a": 1}}}`)
	require.Contains(t, s.fails(exitUsage, "serve"), "--speed is 0, want 1 to 10000 (--speed is from cabrank.json)")
	s.env["CABRANK_SERVE_SPEED"] = "fast"
	require.Contains(t, s.fails(exitUsage, "serve"), `speed from CABRANK_SERVE_SPEED is "fast", want a whole number`)
	s.env["CABRANK_SERVE_SPEED"] = "20000"
	require.Contains(t, s.fails(exitUsage, "serve"), "--speed is 20000, want 1 to 10000 (--speed is from CABRANK_SERVE_SPEED)", "the environment wins over the file")
	require.Contains(t, s.fails(exitUsage, "serve", "--speed", "30000"), "--speed is 30000", "a flag wins over both")
	require.NotContains(t, s.fails(exitUsage, "serve", "--speed", "30000"), "is from")
	s.env["CABRANK_CONFIG"] = "missing.json"
	require.Contains(t, s.fails(exitUsage, "serve"), "missing.json")
}

func TestSharedSettings(t *testing.T) {
	s := newShell(t)
	a, b := newAsked(t, (*httptest.Server).Start), newAsked(t, (*httptest.Server).Start)
	writeFile(t, settingsFile, `{"url": "`+a.URL+`", "auth": ["bearer:shared"], "user": {"auth": "bearer:own"}}`)
	s.fails(exitFindings, "user", demoCaller)
	require.Equal(t, "Bearer own", a.first.Header.Get("Authorization"), "what is said of the command wins")
	s.env["CABRANK_USER_URL"] = b.URL
	s.fails(exitFindings, "user", demoCaller)
	require.NotNil(t, b.first)
	b.first = nil
	s.fails(exitUnreachable, "check", b.URL)
	require.Equal(t, "Bearer shared", b.first.Header.Get("Authorization"))

	require.NoError(t, os.Remove(settingsFile))
	delete(s.env, "CABRANK_USER_URL")
	s.env["CABRANK_URL"], s.env["CABRANK_AUTH"] = b.URL, "bearer:env"
	b.first = nil
	s.fails(exitFindings, "user", demoCaller)
	require.Equal(t, "Bearer env", b.first.Header.Get("Authorization"))
}

// TestASettingBelongsToItsCommand names the file that one command writes, and
// runs another that would write over it.
func TestASettingBelongsToItsCommand(t *testing.T) {
	s := newShell(t)
	_, stop := s.serve("--speed", "1000", "--record", "day.jsonl", "--town", "none")
	stop()
	writeFile(t, "run.json", "of an earlier run")
	writeFile(t, settingsFile, `{"check": {"out": "run.json"}}`)
	s.env["CABRANK_CHECK_OUT"] = "run.json"
	s.ok("replay", "day.jsonl")
	kept, err := os.ReadFile("run.json")
	require.NoError(t, err)
	require.Equal(t, "of an earlier run", string(kept))

	writeFile(t, settingsFile, `{"check": {"self": {"out": "self.json", "only": ["CAN-01"], "quiet": true}}}`)
	s.ok("check", "self")
	require.FileExists(t, "self.json")
	s.env["CABRANK_CHECK_SELF_OUT"] = "env.json"
	s.ok("check", "self")
	require.FileExists(t, "env.json")
}

func TestSettingsThatAreNone(t *testing.T) {
	s := newShell(t)
	for text, says := range map[string]string{
		`{"serve": {"sped": 1}}`:                     "sped in own.json is no setting of serve; near it: seed, speed",
		`{"serv": {"speed": 1}}`:                     "serv in own.json is no command and no setting; near it: serve",
		`{"speed": 1}`:                               `write it as {"demo": {"speed": …}} (it is a setting of demo, serve)`,
		`{"seed": 1}`:                                "check self",
		`{"check": {"self": {"advance": 1}}}`:        "advance in own.json is no setting of check self",
		`{"serve": 1}`:                               `want its settings: {"serve": {…}}`,
		`{"serve": {"speed": null}}`:                 "speed in own.json is null; leave it out",
		`{"serve": {"speed": 1, "speed": 2}}`:        "speed is there twice",
		`{"serve": {}, "serve": {}}`:                 "serve is there twice",
		`{"serve": {"db": 5}}`:                       "db in own.json is 5, want a text",
		`{"serve": {"speed": [1, 2]}}`:               `speed from own.json is "[1, 2]", want a whole number`,
		`{"serve": {"config": "x"}}`:                 "config in own.json is no setting",
		`{"check": {"phone": ["1", null]}}`:          "phone in own.json is null",
		`[]`:                                         "want a JSON object",
		"{\n\"serve\": {},\n}":                       "line 3, column 1",
		`{"book": {"to": ["x"], "from": "station"}}`: "",
	} {
		writeFile(t, "own.json", text)
		if says == "" {
			require.Contains(t, s.fails(exitUsage, "book", "--config", "own.json"), `no place "x"`)
			continue
		}
		require.Contains(t, s.fails(exitUsage, "serve", "--config", "own.json"), says, text)
	}
}

func TestVariablesThatAreNoSettings(t *testing.T) {
	for name, says := range map[string]string{
		"CABRANK_SERVE_SPEEED":     "did you mean CABRANK_SERVE_SPEED?",
		"CABRANK_SERVE_WINGS":      "CABRANK_SERVE_WINGS in the environment is no setting",
		"CABRANK_CHEK_OUT":         "did you mean CABRANK_CHECK_OUT?",
		"CABRANK_SPEED":            "did you mean CABRANK_DEMO_SPEED or CABRANK_SERVE_SPEED?",
		"CABRANK_SPEEED":           "did you mean CABRANK_DEMO_SPEED or CABRANK_SERVE_SPEED?",
		"CABRANK_SERVICE_HOST":     "", // what Kubernetes says of a service called cabrank
		"CABRANK_SERVE_PORT":       "",
		"CABRANK_PORT_8080_TCP":    "",
		"CABRANK_TOKEN":            "", // somebody's own secret
		"CABRANK_STORE_CRASH_FILE": "",
	} {
		s := newShell(t)
		s.env[name] = "1"
		if says == "" {
			s.ok("version")
			continue
		}
		require.Contains(t, s.fails(exitUsage, "version"), says)
	}
}

// TestSettingsHaveOneMeaning looks for two settings of one name, in the file or in
// the environment, and for shared ones that only some of the commands share.
func TestSettingsHaveOneMeaning(t *testing.T) {
	notShared := map[string]string{
		"serve.auth": "what callers must show",
		"demo.auth":  "what callers must show",
		"repeat.url": "where the run was made unless told otherwise",
	}
	owners := map[string]string{}
	walk(newRoot(outside{&bytes.Buffer{}, &bytes.Buffer{}, nil}, sources{}), func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if isFixed(f) {
				return
			}
			require.Nil(t, commandNamed(cmd, f.Name), "%s --%s is a command's name, too", cmd.CommandPath(), f.Name)
			for _, name := range envNames(cmd, f) {
				if name != envName(f.Name) {
					require.Empty(t, owners[name], "%s of %s", name, cmd.CommandPath())
					owners[name] = cmd.CommandPath()
				}
			}
			if _, alone := notShared[settingName(cmd, f.Name)]; !alone {
				shared := false
				for _, name := range sharedSettings {
					shared = shared || name == f.Name
				}
				require.Equal(t, shared, isShared(f), "%s --%s", cmd.CommandPath(), f.Name)
			}
		})
	})
	require.Greater(t, len(owners), 100)
}
