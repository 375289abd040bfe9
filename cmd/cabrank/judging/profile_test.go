package judging

import (
	"maps"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

func TestProfiles(t *testing.T) {
	s := newShell(t)
	require.Contains(t, s.OK("check", "init"), "wrote check.yaml")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", "init"), "exists")
	s.OK("check", "init", "--profile", "mine.yaml")

	a := clitest.NewDown(t, (*httptest.Server).Start)
	profile := "url: " + a.URL + "\nauth: [\"bearer:env:TOKEN\", \"header:X-Tenant:7\"]\nphone: [442079460001]\nseed: 5\n"
	require.NoError(t, os.WriteFile("mine.yaml", []byte(profile), 0o600))
	s.Env["TOKEN"] = "t"
	s.Fails(cli.ExitUnreachable, "check", "--profile", "mine.yaml")
	require.Equal(t, "Bearer t", a.First.Header.Get("Authorization"))
	require.Equal(t, "7", a.First.Header.Get("X-Tenant"))
	a.First = nil
	s.Fails(cli.ExitUnreachable, "check", "--profile", "mine.yaml", "--auth", "bearer:other")
	require.Equal(t, "Bearer other", a.First.Header.Get("Authorization"), "a flag wins")
	b := clitest.NewDown(t, (*httptest.Server).Start)
	s.Fails(cli.ExitUnreachable, "check", b.URL, "--profile", "mine.yaml")
	require.NotNil(t, b.First, "an argument wins")

	for text, says := range map[string]string{
		"ulr: x":                          "ulr in mine.yaml is not a setting",
		"url: [":                          "mine.yaml",
		"url: http://x\nseed: many":       `seed in mine.yaml is "many"`,
		"url: http://x\nseed: [1, 2]":     "not a list",
		"seed: 1":                         "or the address in --url, CABRANK_URL or a --profile",
		"url: http://x\nprofile: y.yaml":  "not a setting",
		"url: http://x\nrequirements: 01": `requirements "01"`,
		"only: [&a x, *a, *a]":            "want a string",
		"out:\nurl:":                      "or the address in --url, CABRANK_URL or a --profile",
	} {
		require.NoError(t, os.WriteFile("mine.yaml", []byte(text), 0o600))
		require.Contains(t, s.Fails(cli.ExitUsage, "check", "--profile", "mine.yaml"), says)
	}
	require.Contains(t, s.Fails(cli.ExitUsage, "check", "--profile", "missing.yaml"), "check init")
}

// TestTheProfileHasEverySetting reads the commented profile as if nothing in it
// were a comment.
func TestTheProfileHasEverySetting(t *testing.T) {
	newShell(t)
	key := regexp.MustCompile(`(?m)^# ([a-z-]+: )`)
	require.NoError(t, os.WriteFile("all.yaml", []byte(key.ReplaceAllString(profileForm, "$1")), 0o600))
	settings, err := readProfile("all.yaml")
	require.NoError(t, err)
	cmd := newCheck(cli.Outside{})
	args, err := applyProfile("all.yaml", cmd.Flags(), nil)
	require.NoError(t, err)
	require.Equal(t, []string{profileURL}, args)

	var may []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(notInProfile, f.Name) {
			may = append(may, f.Name)
		}
	})
	require.ElementsMatch(t, may, slices.Collect(maps.Keys(settings)))
}
