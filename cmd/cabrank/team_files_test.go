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

// TestTeamComposeFile holds the file for Compose to the program, to the Dockerfile and to the
// configuration of its proxy.
func TestTeamComposeFile(t *testing.T) {
	text := clitest.Read(t, filepath.Join(teamFiles, "compose.yaml"))
	var file composeFile
	require.NoError(t, yaml.Unmarshal([]byte(text), &file))
	proxy := clitest.Read(t, filepath.Join(teamFiles, "haproxy.cfg"))
	replicas := 0
	for name, s := range file.Services {
		for _, v := range s.Volumes {
			from, to, _ := strings.Cut(v, ":")
			if !strings.HasPrefix(from, ".") {
				require.Contains(t, file.Volumes, from, name)
				continue
			}
			require.FileExists(t, filepath.Join(teamFiles, from), "%s mounts it at %s", name, to)
		}
		if s.Image != "cabrank" {
			continue
		}
		replicas++
		require.FileExists(t, filepath.Join(teamFiles, s.Build, "Dockerfile"), name)
		require.Contains(t, s.DependsOn, "db", name)
		require.Regexp(t, `^[2-9]\ds$`, s.StopGracePeriod, "%s gives its worlds away", name)
		require.Contains(t, proxy, fmt.Sprintf(" %s:%s\n", name, instructions(t)["EXPOSE"]), "the proxy knows %s", name)
		serve := serveFlags(t, s.Command, s.Environment)
		require.Equal(t, name, replicaAt(t, serve).Hostname())
		require.Equal(t, []string{publicAt(t, serve).Host + ":" + portOfProxy(t, proxy)}, file.Services["proxy"].Ports)
		require.Equal(t, []string{file.Networks["default"].IPAM.Config[0]["subnet"]}, trusted(t, serve))
		database, err := url.Parse(whole(s.Environment["CABRANK_SERVE_DB"]))
		require.NoError(t, err)
		require.Contains(t, file.Services, database.Hostname())
		require.Equal(t, file.Services["db"].Environment["POSTGRES_USER"], database.User.Username())
		require.Equal(t, file.Services["db"].Environment["POSTGRES_DB"], strings.Trim(database.Path, "/"))
		health := s.Healthcheck.Test
		require.Equal(t, append([]string{"CMD"}, healthOfImage(t)...), health)
	}
	require.Equal(t, 2, replicas)
	require.NotEmpty(t, file.Services["db"].Healthcheck.Test)
	for name := range file.Services["proxy"].DependsOn {
		require.Contains(t, file.Services, name)
	}
}

// commandOfPage is a line of a document that runs the program.
var commandOfPage = regexp.MustCompile(`(?m)^(?:\$ )?cabrank (.+?)(?:  +#.*)?$`)

// TestTeamPageCommands finds the commands of the page in the program.
func TestTeamPageCommands(t *testing.T) {
	lines := commandOfPage.FindAllStringSubmatch(clitest.Read(t, "docs/team.md"), -1)
	require.Greater(t, len(lines), 5)
	for _, line := range lines {
		cmd, args, err := cli.Root(cli.Outside{}, groups).Find(strings.Fields(line[1]))
		require.NoError(t, err, line[0])
		require.NoError(t, cmd.ParseFlags(args), line[0])
		require.NoError(t, cmd.ValidateArgs(cmd.Flags().Args()), line[0])
	}
}

// composeFile is what the tests read of a file for Compose.
type composeFile struct {
	Services map[string]struct {
		Image           string            `yaml:"image"`
		Build           string            `yaml:"build"`
		Command         []string          `yaml:"command"`
		Environment     map[string]string `yaml:"environment"`
		DependsOn       dependencies      `yaml:"depends_on"`
		Ports           []string          `yaml:"ports"`
		Volumes         []string          `yaml:"volumes"`
		StopGracePeriod string            `yaml:"stop_grace_period"`
		Healthcheck     struct {
			Test []string `yaml:"test"`
		} `yaml:"healthcheck"`
	} `yaml:"services"`
	Networks map[string]struct {
		IPAM struct {
			Config []map[string]string `yaml:"config"`
		} `yaml:"ipam"`
	} `yaml:"networks"`
	Volumes map[string]any `yaml:"volumes"`
}

// dependencies are the services that another one depends on, written as a list or as a map.
type dependencies map[string]any

// UnmarshalYAML implements [yaml.BytesUnmarshaler].
func (d *dependencies) UnmarshalYAML(text []byte) error {
	var list []string
	if yaml.Unmarshal(text, &list) != nil {
		return yaml.Unmarshal(text, (*map[string]any)(d))
	}
	*d = dependencies{}
	for _, name := range list {
		(*d)[name] = nil
	}
	return nil
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

// healthOfImage is the command of the image's health check.
func healthOfImage(t *testing.T) []string {
	t.Helper()
	_, command, _ := strings.Cut(instructions(t)["HEALTHCHECK"], " CMD ")
	return words(t, command)
}
