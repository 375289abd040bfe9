package serving

import (
	"net/http"
	"net/url"
	"os"
	"regexp"
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

const givenToken = "a-token-of-24-characters"

// controlled is a server, where it prints that control is, and the token that it prints.
type controlled struct {
	url, control, token string
	banner              string
}

var (
	controlLine = regexp.MustCompile(`(?m)^  control          (\S+)`)
	tokenLine   = regexp.MustCompile(`(?m)^  control token    (\S+)`)
)

// serveControlled serves until the test ends, and reads the banner.
func serveControlled(s *clitest.Shell, args ...string) (c controlled) {
	s.T.Helper()
	var out clitest.Buffer
	c.url, _ = s.Listen(cli.Outside{Stdout: &out, Stderr: &out}, append([]string{"serve", "--log", "off", "--town", "none"}, args...)...)
	require.Eventually(s.T, func() bool { return strings.Contains(out.String(), "\n  or ") }, time.Minute, 5*time.Millisecond, "no banner")
	c.banner = out.String()
	c.control = strings.TrimSuffix(controlLine.FindStringSubmatch(c.banner)[1], control.Prefix)
	if found := tokenLine.FindStringSubmatch(c.banner); found != nil {
		c.token = found[1]
	}
	return c
}

// ask sends a request and returns the status and the text of the answer, which never
// lets a page of another site read it.
func ask(t *testing.T, method, url, host, token string) (int, string) {
	t.Helper()
	answer := clitest.Send(t, method, url, "", func(r *http.Request) {
		r.Host = host
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Access-Control-Request-Method", method)
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		} else {
			r.Header.Set("Origin", "https://evil.example")
		}
	})
	for name := range answer.Header {
		require.NotContains(t, strings.ToLower(name), "access-control-", "%s %s", method, url)
	}
	return answer.Status, answer.Body
}

// status is the status of a GET.
func status(t *testing.T, url, host, token string) int {
	t.Helper()
	code, _ := ask(t, http.MethodGet, url, host, token)
	return code
}

// TestControlBeyondLoopbackRequiresAToken makes calls with none, a wrong one, and the one
// that was printed.
func TestControlBeyondLoopbackRequiresAToken(t *testing.T) {
	s := newShell(t)
	c := serveControlled(s, "--listen", "0.0.0.0:0")
	require.Regexp(t, `^[A-Z2-7]{26,}$`, c.token, "130 bits")
	require.Equal(t, 1, strings.Count(c.banner, c.token), "printed once")
	require.Contains(t, c.banner, "warning: other machines can reach control, and its token goes over the network in clear text")
	require.Equal(t, c.url, c.control)
	for _, path := range []string{control.Prefix + "/clock", control.PathMetrics} {
		require.Equal(t, http.StatusUnauthorized, status(t, c.url+path, "", ""), path)
		require.Equal(t, http.StatusUnauthorized, status(t, c.url+path, "", "wrong"), path)
		require.Equal(t, http.StatusOK, status(t, c.url+path, "cab.example", c.token), path)
		_, text := ask(t, http.MethodOptions, c.url+path, "", "")
		require.NotContains(t, text, c.token)
	}
	require.Equal(t, http.StatusOK, status(t, c.url+"/livez", "cab.example", ""), "the operations ask for none")

	require.Contains(t, s.Fails(cli.ExitUsage, "clock", "--url", c.url), "--token or CABRANK_TOKEN")
	require.Contains(t, s.Fails(cli.ExitUsage, "clock", "--url", c.url, "--token", "wrong"), "want the server's token")
	s.Env["CABRANK_TOKEN"] = c.token
	s.OK("fault", "list", "--url", c.url)
	s.OK("requests", "--url", c.url)
	require.Equal(t, c.url+"/s/ann\n", s.OK("sandbox", "add", "ann", "--url", c.url))
	s.OK("clock", "--url", c.url, "--sandbox", "ann")
	require.Equal(t, http.StatusUnauthorized, status(t, c.url+"/s/ann"+control.Prefix+"/clock", "", ""))
	require.Equal(t, http.StatusUnauthorized, status(t, c.url+"/s/ann"+control.PathMetrics, "", ""))

	other := serveControlled(s, "--listen", "0.0.0.0:0")
	require.NotEqual(t, c.token, other.token)
}

// TestGivenTokenIsRequiredAndNotPrinted expects that a given token is not printed, and is required on loopback
// too.
func TestGivenTokenIsRequiredAndNotPrinted(t *testing.T) {
	s := newShell(t)
	s.Env["MY_TOKEN"] = givenToken
	s.Write("token.txt", givenToken+"\n")
	for _, args := range [][]string{
		{"--listen", "0.0.0.0:0", "--control-token", "env:MY_TOKEN"},
		{"--listen", "127.0.0.1:0", "--control-token", "@token.txt"},
	} {
		c := serveControlled(s, args...)
		require.NotContains(t, c.banner, givenToken)
		require.Empty(t, c.token)
		require.Equal(t, http.StatusUnauthorized, status(t, c.url+control.Prefix+"/clock", "", ""), args)
		for _, token := range []string{givenToken, "env:MY_TOKEN", "@token.txt"} {
			s.OK("clock", "--url", c.url, "--token", token)
		}
	}
	s.Env["CABRANK_SERVE_CONTROL_TOKEN"] = "short"
	c := serveControlled(s, "--listen", "127.0.0.1:0")
	require.Equal(t, http.StatusMisdirectedRequest, status(t, c.url+control.PathMetrics, "cab.example", "short"), "a token does not open loopback to other names")
	s.OK("clock", "--url", c.url, "--token", "short")
}

// TestCheckSendsTheControlToken advances journeys at a server that requires a token.
func TestCheckSendsTheControlToken(t *testing.T) {
	s := newShell(t)
	s.Write("token.txt", givenToken+"\n")
	c := serveControlled(s, "--listen", "127.0.0.1:0", "--control-token", givenToken)
	check := func(code int, args ...string) string {
		out := s.Ends(code, append([]string{"check", c.url, "--only", "JRN-06,JRN-01", "--advance-url", c.url + control.PathAdvance}, args...)...)
		return out
	}
	require.Contains(t, check(cli.ExitUsage), "--advance-url answered 401")
	for _, token := range []string{givenToken, "@token.txt"} {
		require.Contains(t, check(cli.ExitOK, "--advance-token", token), "pass  JRN-06")
	}
	s.Env["CABRANK_TOKEN"] = "@token.txt"
	require.Contains(t, check(cli.ExitOK), "pass  JRN-06")
	require.Contains(t, check(cli.ExitUsage, "--advance-token", "another"), "--advance-url answered 401", "the flag wins")
}

// TestControlListensOnASeparateAddress expects that the address of the operations does not serve
// control, nor control's the operations.
func TestControlListensOnASeparateAddress(t *testing.T) {
	s := newShell(t)
	c := serveControlled(s, "--listen", "0.0.0.0:0", "--control-listen", "127.0.0.1:0")
	require.NotEqual(t, c.url, c.control)
	require.Empty(t, c.token)
	require.NotContains(t, c.banner, "can reach control")
	for _, path := range []string{control.Prefix + "/clock", control.PathMetrics} {
		require.Equal(t, http.StatusNotFound, status(t, c.url+path, "", ""), path)
		require.Equal(t, http.StatusMisdirectedRequest, status(t, c.control+path, "evil.example", ""), path)
	}
	require.Equal(t, http.StatusNotFound, status(t, c.control+"/livez", "", ""))
	s.OK("clock", "--url", c.control)
	require.Contains(t, s.Fails(cli.ExitUnreachable, "clock", "--url", c.url), "--control-listen")
	require.Equal(t, c.url+"/s/ann\n", s.OK("sandbox", "add", "ann", "--url", c.control), "where a platform calls")
	for path, want := range map[string]string{"": c.url, "/s/ann": c.url + "/s/ann"} {
		at, err := client.New(c.control+path, client.Options{})
		require.NoError(t, err)
		about, err := client.Do(t.Context(), at, control.ReadOverview, nil)
		require.NoError(t, err)
		require.Equal(t, want, about.ThirdPartyURL)
	}
	s.OK("book", "--url", c.url+"/s/ann")
	s.OK("journeys", "transition", "latest", "CANCELLED", "--sandbox", "ann", "--url", c.control)
	require.Equal(t, http.StatusNotFound, status(t, c.url+"/s/ann"+control.PathMetrics, "", ""))

	c = serveControlled(s, "--listen", "127.0.0.1:0", "--control-listen", "0.0.0.0:0")
	require.Contains(t, s.Fails(cli.ExitUsage, "clock", "--url", c.control), "want the server's token")
	s.OK("clock", "--url", c.control, "--token", c.token)
}

// TestControlURLFileIsWrittenAndRemoved reads the address of control from a file, which is gone after the server
// has stopped.
func TestControlURLFileIsWrittenAndRemoved(t *testing.T) {
	s := newShell(t)
	s.Write("control.url", "http://127.0.0.1:1\n") // of an earlier server that was killed
	for _, apart := range []bool{true, false} {
		args := []string{"--control-url-file", "control.url", "--town", "none"}
		if apart {
			args = append(args, "--control-listen", "127.0.0.1:0")
		}
		url, stop := s.Serve(args...)
		text := clitest.Read(t, "control.url")
		at := strings.TrimSuffix(text, "\n")
		require.Equal(t, apart, url != at)
		s.OK("clock", "--url", at)
		stop()
		require.NoFileExists(t, "control.url")
	}
	for args, says := range map[string]string{
		"--control-url-file u --url-file u":  "--control-url-file is \"u\", which --url-file has already",
		"--control-url-file u --no-control":  "--control-url-file: --no-control",
		"--control-url-file nowhere/control": "--control-url-file nowhere/control: there is no folder nowhere",
	} {
		require.Contains(t, s.Fails(cli.ExitUsage, append([]string{"serve", "--listen", "127.0.0.1:0"}, strings.Fields(args)...)...), says)
	}
}

func TestNoControlFlagDisablesControl(t *testing.T) {
	s := newShell(t)
	c := serveControlled(s, "--listen", "127.0.0.1:0", "--no-control")
	require.Equal(t, "off", c.control)
	require.Equal(t, http.StatusNotFound, status(t, c.url+control.Prefix+"/clock", "", ""))
	require.Equal(t, http.StatusNotFound, status(t, c.url+control.PathMetrics, "", ""))
	s.OK("book", "--url", c.url)
}

// TestUnsafeControlIsRefused expects an error before the start, without the secret in it.
func TestUnsafeControlIsRefused(t *testing.T) {
	s := newShell(t)
	s.Write("empty.txt", "\n")
	for flags, says := range map[string]string{
		"--control-token=":                                  "--control-token: it is empty",
		"--control-token @empty.txt":                        "--control-token: it is empty",
		"--control-token @none.txt":                         "--control-token: secret",
		"--control-token env:NONE":                          "the environment has no NONE",
		"--control-token file:s3cret":                       "or @FILE or env:NAME",
		"--listen 0.0.0.0:0 --control-token s3cret":         "--control-token is shorter than 16 characters",
		"--control-listen 0.0.0.0:0 --control-token s3cret": "--control-token is shorter than 16 characters",
		"--listen 127.0.0.1:9 --control-listen 127.0.0.1:9": "which --listen 127.0.0.1:9 has already",
		"--listen 0.0.0.0:9 --control-listen localhost:9":   "which --listen 0.0.0.0:9 has already",
		"--control-listen nowhere":                          `--control-listen is "nowhere", want HOST:PORT`,
		"--no-control --control-listen 127.0.0.1:0":         "--control-listen: --no-control",
		"--no-control --control-token s3cret":               "--control-token: --no-control",
	} {
		said := s.Fails(cli.ExitUsage, append([]string{"serve", "--town", "none", "--listen", "127.0.0.1:0"}, strings.Fields(flags)...)...)
		require.Contains(t, said, says, flags)
		require.NotContains(t, said, "s3cret", flags)
	}
	s.Env["CABRANK_SERVE_CONTROL_TOKEN"] = ""
	require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--listen", "127.0.0.1:0"), "it is empty")
}

// TestTokensAreKeptBesideTheDatabase checks that the tokens of persons are stored in a file beside the database,
// survive a restart, and follow changes of the file. Without a token of its own, the server then generates one.
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

func TestDamagedTokenFileIsRefused(t *testing.T) {
	s := newShell(t)
	s.Write("own.db.tokens", "{")
	said := s.Fails(cli.ExitUsage, "serve", "--listen", "127.0.0.1:0", "--town", "none", "--db", "own.db")
	require.Contains(t, said, "--db: the stored tokens: unexpected end of JSON input")
}

// TestDocumentedPrometheusConfigWorks reads the configuration of the documents, and makes the request
// that it describes.
func TestDocumentedPrometheusConfigWorks(t *testing.T) {
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
