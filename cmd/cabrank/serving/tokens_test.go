package serving

import (
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/client"
	"github.com/cabrank/cabrank/simulator/control/tokens"
)

// TestTokensAreKeptBesideTheDatabase restarts a server, edits its file of tokens, and leaves out its own token.
func TestTokensAreKeptBesideTheDatabase(t *testing.T) {
	s := newParallelShell(t)
	serve := []string{"--db", s.Path("own.db"), "--town", "none", "--log", "off"}
	at, stop := s.Serve(append(serve, "--control-token", givenToken)...)
	own, err := client.New(at, client.Options{Token: givenToken})
	require.NoError(t, err)
	made, err := client.Do(t.Context(), own, control.AddToken, control.TokenOrder{Name: "boss", May: tokens.MayEverything})
	require.NoError(t, err)
	info, err := os.Stat(s.Path("own.db.tokens"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
	text := clitest.Read(t, s.Path("own.db.tokens"))
	require.NotContains(t, text, made.Secret)
	require.Contains(t, text, `"name": "boss"`)
	stop()

	at, stop = s.Serve(append(serve, "--control-token", givenToken)...)
	require.Equal(t, http.StatusOK, status(t, at+control.Prefix+"/clock", "", made.Secret))
	require.NoError(t, os.WriteFile(s.Path("own.db.tokens"), []byte(strings.ReplaceAll(text, "everything", "read")), 0o600))
	require.Eventually(t, func() bool {
		code, _ := ask(t, http.MethodGet, at+control.Prefix+"/tokens", "", made.Secret)
		return code == http.StatusForbidden
	}, time.Minute, 20*time.Millisecond, "it is read again")
	stop()

	c := serveControlled(s, serve...)
	require.Regexp(t, `^[A-Z2-7]{26,}$`, c.token, "made, as the file has tokens")
	require.Equal(t, http.StatusUnauthorized, status(t, c.url+control.Prefix+"/clock", "", ""))
	require.Equal(t, http.StatusOK, status(t, c.url+control.Prefix+"/clock", "", made.Secret))
	require.Equal(t, http.StatusOK, status(t, c.url+control.Prefix+"/tokens", "", c.token))
}

func TestADamagedFileOfTokensIsNoOpenDoor(t *testing.T) {
	s := newShell(t)
	s.Write("own.db.tokens", "{")
	said := s.Fails(cli.ExitUsage, "serve", "--listen", "127.0.0.1:0", "--town", "none", "--db", "own.db")
	require.Contains(t, said, "--db: the stored tokens: unexpected end of JSON input")
}

// TestPrometheusIsConfiguredAsDocumented reads the configuration of the documents, and makes the request
// that it describes.
func TestPrometheusIsConfiguredAsDocumented(t *testing.T) {
	_, text, found := strings.Cut(clitest.Read(t, "../docs/serving.md"), "```yaml\nscrape_configs:")
	require.True(t, found)
	text, _, _ = strings.Cut(text, "```")
	type authorization struct {
		CredentialsFile string `yaml:"credentials_file"`
	}
	var config struct {
		ScrapeConfigs []struct {
			JobName       string `yaml:"job_name"`
			HTTPSDConfigs []struct {
				URL             string        `yaml:"url"`
				RefreshInterval string        `yaml:"refresh_interval"`
				Authorization   authorization `yaml:"authorization"`
			} `yaml:"http_sd_configs"`
			Authorization authorization `yaml:"authorization"`
		} `yaml:"scrape_configs"`
	}
	require.NoError(t, yaml.UnmarshalWithOptions([]byte("scrape_configs:"+text), &config, yaml.Strict()))
	job := config.ScrapeConfigs[0]
	require.NotEmpty(t, job.JobName)
	sd := job.HTTPSDConfigs[0]
	require.Equal(t, job.Authorization, sd.Authorization)
	_, err := time.ParseDuration(sd.RefreshInterval)
	require.NoError(t, err)
	at, err := url.Parse(sd.URL)
	require.NoError(t, err)

	s := newShell(t)
	c := serveControlled(s, "--listen", "127.0.0.1:0", "--control-token", givenToken)
	reader := strings.TrimSpace(s.OK("token", "add", "grafana", "--may", "read", "--token", givenToken, "--url", c.url))
	s.OK("sandbox", "add", "a", "--label", "team=checkout", "--token", givenToken, "--url", c.url)
	answer := clitest.Get(t, c.url+at.Path, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+reader) })
	require.Equal(t, "application/json", answer.Header.Get("Content-Type"), "Prometheus takes no other")
	groups := clitest.Decode[[]control.TargetGroup](t, answer.Body)
	require.Len(t, groups, 2)
	for _, g := range groups {
		target := g.Labels["__scheme__"] + "://" + g.Targets[0] + g.Labels["__metrics_path__"]
		require.Equal(t, http.StatusOK, status(t, target, "", reader), target)
	}
	require.Equal(t, "checkout", groups[1].Labels["label_team"])
}
