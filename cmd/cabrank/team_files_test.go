package main

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

// teamFiles is the folder of the files that docs/team.md describes.
const teamFiles = "docs/team"

// shutDownTakes is how long a replica may take after SIGTERM, in seconds: ten to give its worlds
// away, and the last requests.
const shutDownTakes = 15

// TestComposeFileMatchesProgramAndProxy compares the file for Compose with the program, the Dockerfile and the configuration of its
// proxy.
func TestComposeFileMatchesProgramAndProxy(t *testing.T) {
	var file any
	require.NoError(t, yaml.Unmarshal([]byte(clitest.Read(t, filepath.Join(teamFiles, "compose.yaml"))), &file))
	proxy := clitest.Read(t, filepath.Join(teamFiles, "haproxy.cfg"))
	services := in(file, "services").(map[string]any)
	replicas := 0
	for name, s := range services {
		for _, v := range arguments(s, "volumes") {
			from, to, _ := strings.Cut(v, ":")
			if !strings.HasPrefix(from, ".") {
				require.Contains(t, in(file, "volumes"), from, name)
				continue
			}
			require.FileExists(t, filepath.Join(teamFiles, from), "%s mounts it at %s", name, to)
		}
		if text(s, "image") != "cabrank" {
			continue
		}
		replicas++
		require.FileExists(t, filepath.Join(teamFiles, text(s, "build"), "Dockerfile"), name)
		require.Contains(t, in(s, "depends_on"), "db", name)
		require.Regexp(t, `^[2-9]\ds$`, text(s, "stop_grace_period"), "%s gives its worlds away", name)
		require.Contains(t, proxy, fmt.Sprintf(" %s:%s\n", name, instructions(t)["EXPOSE"]), "the proxy knows %s", name)
		env := map[string]string{}
		for name := range in(s, "environment").(map[string]any) {
			env[name] = text(s, "environment."+name)
		}
		serve := serveFlags(t, arguments(s, "command"), env)
		require.Equal(t, name, replicaAt(t, serve).Hostname())
		require.Equal(t, []string{publicAt(t, serve).Host + ":" + portOfProxy(t, proxy)}, arguments(file, "services.proxy.ports"))
		require.Equal(t, []string{text(file, "networks.default.ipam.config.0.subnet")}, trusted(t, serve))
		database, err := url.Parse(whole(env["CABRANK_SERVE_DB"]))
		require.NoError(t, err)
		require.Contains(t, services, database.Hostname())
		require.Equal(t, text(file, "services.db.environment.POSTGRES_USER"), database.User.Username())
		require.Equal(t, text(file, "services.db.environment.POSTGRES_DB"), strings.Trim(database.Path, "/"))
		_, health, _ := strings.Cut(instructions(t)["HEALTHCHECK"], " CMD ")
		require.Equal(t, append([]string{"CMD"}, words(t, health)...), arguments(s, "healthcheck.test"))
	}
	require.Equal(t, 2, replicas)
	require.NotEmpty(t, items(file, "services.db.healthcheck.test"))
	for _, name := range arguments(file, "services.proxy.depends_on") {
		require.Contains(t, services, name)
	}
}

// arguments is a list of texts of a document.
func arguments(v any, path string) (all []string) {
	for _, one := range items(v, path) {
		all = append(all, fmt.Sprint(one))
	}
	return all
}

// commandOfPage is a line of a document that runs the program.
var commandOfPage = regexp.MustCompile(`(?m)^(?:\$ )?cabrank (.+?)(?:  +#.*)?$`)

// TestTeamPageCommandsAreValid checks that each command on docs/team.md is a valid command line of the program.
func TestTeamPageCommandsAreValid(t *testing.T) {
	lines := commandOfPage.FindAllStringSubmatch(clitest.Read(t, "docs/team.md"), -1)
	require.Greater(t, len(lines), 5)
	for _, line := range lines {
		cmd, args, err := cli.Root(cli.Outside{}, groups).Find(strings.Fields(line[1]))
		require.NoError(t, err, line[0])
		require.NoError(t, cmd.ParseFlags(args), line[0])
		require.NoError(t, cmd.ValidateArgs(cmd.Flags().Args()), line[0])
	}
}

// serveFlags parses the command line of a container as the program does, and sets its variables.
func serveFlags(t *testing.T, args []string, env map[string]string) *pflag.FlagSet {
	t.Helper()
	args = slices.Clone(args)
	for i := range args {
		args[i] = os.Expand(strings.NewReplacer("$(", "${", ")", "}").Replace(args[i]), func(name string) string {
			require.Contains(t, env, name)
			return env[name]
		})
	}
	serve, rest, err := cli.Root(cli.Outside{}, groups).Find(args)
	require.NoError(t, err)
	require.Equal(t, "serve", serve.Name())
	require.NoError(t, serve.ParseFlags(rest))
	require.NoError(t, serve.ValidateArgs(serve.Flags().Args()))
	setVariables(t, serve, env)
	token, err := serve.Flags().GetString("control-token")
	require.NoError(t, err)
	name, _ := strings.CutPrefix(token, "env:")
	require.NotEmpty(t, env[name], "all replicas have one token, and it is on no command line")
	return serve.Flags()
}

// setVariables sets the flags of a command that variables set.
func setVariables(t *testing.T, cmd *cobra.Command, env map[string]string) {
	t.Helper()
	flags := map[string]*pflag.Flag{}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		for _, name := range cli.Variables(cmd, f) {
			flags[name] = f
		}
	})
	for name, value := range env {
		if strings.HasPrefix(name, "CABRANK_") {
			require.Contains(t, flags, name)
			require.NoError(t, flags[name].Value.Set(whole(value)), name)
		}
	}
}

// reference is a variable of Compose with the error for one that is missing.
var reference = regexp.MustCompile(`\$\{\w+:\?[^}]*\}`)

// whole is a value of Compose with something in place of its variables.
func whole(value string) string { return reference.ReplaceAllString(value, "secret") }

// replicaAt is the address at which other replicas reach a server: it listens there.
func replicaAt(t *testing.T, serve *pflag.FlagSet) *url.URL {
	t.Helper()
	at := addressOf(t, serve, "replica-url")
	require.Equal(t, []string{"http", instructions(t)["EXPOSE"]}, []string{at.Scheme, at.Port()})
	return at
}

func publicAt(t *testing.T, serve *pflag.FlagSet) *url.URL {
	t.Helper()
	return addressOf(t, serve, "public-url")
}

func addressOf(t *testing.T, serve *pflag.FlagSet, flag string) *url.URL {
	t.Helper()
	text, err := serve.GetString(flag)
	require.NoError(t, err)
	at, err := url.Parse(text)
	require.NoError(t, err)
	require.NotEmpty(t, at.Host, flag)
	return at
}

// trusted are the proxies that a server trusts.
func trusted(t *testing.T, serve *pflag.FlagSet) []string {
	t.Helper()
	proxies, err := serve.GetStringSlice("trusted-proxy")
	require.NoError(t, err)
	for _, p := range proxies {
		_, err := netip.ParsePrefix(p)
		require.NoError(t, err)
	}
	return proxies
}

// portOfProxy is the port on which the proxy listens in its container.
func portOfProxy(t *testing.T, config string) string {
	t.Helper()
	bind := regexp.MustCompile(`(?m)^ +bind (\S+)$`).FindStringSubmatch(config)
	require.NotNil(t, bind)
	_, port, err := net.SplitHostPort(bind[1])
	require.NoError(t, err)
	return port
}
