//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/platform/api"
)

// TestOtherPeoplesClients has programs that know nothing of this project use
// the program: curl, npm's jose, the library of Standard Webhooks, and clients that
// are generated from the OpenAPI documents of the platform and of control. .ci/clients installs what they need; with
// MUST_RUN set a missing installation is a failure.
func TestOtherPeoplesClients(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts processes")
	}
	onPath(t)
	t.Run("curl", func(t *testing.T) {
		need(t, "bash", "curl")
		newClientUser(t).run("bash", "curl.sh")
	})
	for name, commands := range map[string][]string{
		"jose":     {"node jose.mjs"},
		"webhooks": {"node webhooks.mjs"},
		"generated": {
			"node_modules/.bin/openapi-typescript rest.yaml --default-non-nullable false -o rest.d.ts",
			"node_modules/.bin/openapi-typescript calls.json --default-non-nullable false -o calls.d.ts",
			"node_modules/.bin/tsc -p .", "node client.js", "node control.js",
		},
	} {
		t.Run(name, func(t *testing.T) {
			need(t, "node")
			u := newClientUser(t)
			u.installed()
			for _, command := range commands {
				words := strings.Fields(command)
				u.run(words[0], words[1:]...)
			}
		})
	}
}

// clientUser has the programs in a folder, beside a platform and a dispatch system that run.
type clientUser struct{ *reader }

func newClientUser(t *testing.T) clientUser {
	t.Helper()
	r := newReader(t)
	require.NoError(t, os.CopyFS(r.dir, os.DirFS("testdata/clients")))
	require.NoError(t, os.WriteFile(filepath.Join(r.dir, "rest.yaml"), api.Documents()["rest.yaml"], 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(r.dir, "calls.json"), control.OpenAPI(), 0o600))
	r.environ = append(r.environ, "CABRANK=http://"+r.program, "CREDENTIALS="+filepath.Join(r.dir, "credentials.json"))
	r.background(strings.Fields("cabrank platform --credentials-file credentials.json --allow-private-hooks --log off"), r.platform)
	r.background(strings.Fields("cabrank serve --town none --log off --listen "+r.program), r.program)
	return clientUser{r}
}

// installed puts the packages in reach of the programs.
func (u clientUser) installed() {
	u.t.Helper()
	installed(u.t, "clients", u.dir)
}

// installed puts the packages that a folder of testdata locks in reach of programs.
func installed(t *testing.T, folder, dir string) {
	t.Helper()
	require.NoError(t, os.Symlink(clitest.Installed(t, "testdata", folder), filepath.Join(dir, "node_modules")))
}

// run runs a program, which must succeed.
func (u clientUser) run(name string, args ...string) {
	u.t.Helper()
	if strings.Contains(name, "/") {
		name = filepath.Join(u.dir, name)
	}
	out, err := u.command(name, args...).CombinedOutput()
	require.NoError(u.t, err, "%s %v:\n%s", name, args, out)
}
