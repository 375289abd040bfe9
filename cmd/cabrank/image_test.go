package main

import (
	"net"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

// TestDockerfileSettingsMatchTheProgram checks that the variables, ports, volumes and labels of the Dockerfile fit the program, since no image is
// built here.
func TestDockerfileSettingsMatchTheProgram(t *testing.T) {
	file := instructions(t)
	env := map[string]string{}
	for pair := range strings.FieldsSeq(file["ENV"]) {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	settings := map[string]*pflag.Flag{}
	cli.Walk(cli.Root(cli.Outside{}, groups), func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			for _, name := range cli.Variables(cmd, f) {
				settings[name] = f
			}
		})
	})
	for name, value := range env {
		require.Contains(t, settings, name, "ENV names a setting")
		require.NoError(t, settings[name].Value.Set(value), name)
		if strings.HasSuffix(name, "_LISTEN") {
			host, port, err := net.SplitHostPort(value)
			require.NoError(t, err)
			require.Equal(t, "0.0.0.0", host, "%s: what listens on loopback in a container is heard by nobody", name)
			require.Equal(t, file["EXPOSE"], port, name)
		}
	}
	require.Equal(t, file["VOLUME"], path.Dir(env["CABRANK_SERVE_DB"]), "bookings outlive the container")
	require.Contains(t, file["RUN"], "mkdir -m 0777 /owned"+file["VOLUME"])
	require.Contains(t, file["COPY"], "--chown="+file["USER"]+" /owned /", "the volume is its user's")
	require.Contains(t, file["RUN"], "mkdir -m 1777 /image/tmp")
	require.FileExists(t, filepath.FromSlash("notices/notices.txt"))
	require.Contains(t, file["RUN"], "cp cmd/cabrank/notices/notices.txt /image/LICENSES")
	require.Contains(t, file["LABEL"], `org.opencontainers.image.licenses="Apache-2.0"`)
	for _, label := range []string{"title", "description", "source", "version"} {
		require.Contains(t, file["LABEL"], "org.opencontainers.image."+label+`="`)
	}
}

// TestDockerfileCommandsAreValid checks that the entry point, the command and the health check of the Dockerfile are valid
// commands of the program.
func TestDockerfileCommandsAreValid(t *testing.T) {
	file := instructions(t)
	require.Equal(t, []string{"/cabrank"}, words(t, file["ENTRYPOINT"]))
	require.Contains(t, file["RUN"], "-o /image/cabrank ./cmd/cabrank")
	root := cli.Root(cli.Outside{}, groups)
	serve, _, err := root.Find(words(t, file["CMD"]))
	require.NoError(t, err)
	require.Equal(t, "serve", serve.Name())

	timing, command, _ := strings.Cut(file["HEALTHCHECK"], " CMD ")
	health := words(t, command)
	require.Equal(t, "/cabrank", health[0])
	ready, rest, err := root.Find(health[1:])
	require.NoError(t, err)
	require.Equal(t, "ready", ready.Name())
	require.NoError(t, ready.ParseFlags(rest))
	own, err := ready.Flags().GetDuration("timeout")
	require.NoError(t, err)
	whole, err := time.ParseDuration(regexp.MustCompile(`--timeout=(\w+)`).FindStringSubmatch(timing)[1])
	require.NoError(t, err)
	require.Greater(t, whole, own, "ready says itself what is wrong")
	patience, err := time.ParseDuration(regexp.MustCompile(`--start-period=(\w+)`).FindStringSubmatch(timing)[1])
	require.NoError(t, err)
	check, _, err := root.Find([]string{"check"})
	require.NoError(t, err)
	most, err := check.Flags().GetDuration("max-time")
	require.NoError(t, err)
	require.GreaterOrEqual(t, patience, most, "a run of check ends before it is called unhealthy")
}

// TestImageBuildFlagsMatchGateAndRelease compares the image's compiler with that of go.mod, and its build flags with
// those of the gate and of a release.
func TestImageBuildFlagsMatchGateAndRelease(t *testing.T) {
	file := instructions(t)
	mod := clitest.Read(t, "../../go.mod")
	want := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(mod)[1]
	require.Contains(t, file["FROM"], "golang:"+want+" ")
	require.Contains(t, file["FROM"], "--platform=$BUILDPLATFORM")
	require.Contains(t, file["RUN"], "GOOS=$TARGETOS GOARCH=$TARGETARCH")
	gate := clitest.Read(t, "../../.ci/end-to-end")
	for _, flags := range []string{"CGO_ENABLED=0", "-trimpath -tags nomsgpack", `-ldflags "-s -w -X ` + module + `cmd/cabrank/cli.version=`} {
		require.Contains(t, file["RUN"], flags)
		require.Contains(t, gate, flags)
	}
	release := clitest.Read(t, "../../.ci/release")
	for _, flags := range []string{"CGO_ENABLED=0", "-trimpath -tags nomsgpack", `-ldflags "-s -w -X $stamps.version=`, "stamps=" + module + "cmd/cabrank/cli\n"} {
		require.Contains(t, release, flags)
	}
	for _, stamp := range []string{"version", "commit", "date"} {
		require.Contains(t, file["RUN"], " -X "+module+"cmd/cabrank/cli."+stamp+"=${"+strings.ToUpper(stamp)+"}")
		require.Contains(t, release, " -X $stamps."+stamp+"=$"+stamp)
	}
}

// instructions are the Dockerfile's instructions by name, those of one name in lines.
func instructions(t *testing.T) map[string]string {
	t.Helper()
	text := clitest.Read(t, "../../Dockerfile")
	joined := regexp.MustCompile(`\\\n\s*`).ReplaceAllString(text, "")
	all := map[string]string{}
	for line := range strings.Lines(joined) {
		name, rest, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || name == "#" {
			continue
		}
		if all[name] != "" {
			all[name] += "\n"
		}
		all[name] += rest
	}
	return all
}

// words are those of an instruction's exec form.
func words(t *testing.T, list string) []string {
	t.Helper()
	all := clitest.Decode[[]string](t, list)
	return all
}
