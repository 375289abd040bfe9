package phoning_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/cmd/cabrank/phoning"
	"github.com/cabrank/cabrank/simulator/platform"
)

// minimal is the least that the interface asks of a call request.
const minimal = `{"target":{"phoneNumber":{"number":"+442079460001"}},"verbs":[{"say":{"text":["Hi"]}}]}`

var newShell, newParallelShell = clitest.Shells(commands)

func commands(o cli.Outside) []cli.Group {
	return []cli.Group{{Title: "Run a voice platform:", Commands: phoning.Commands(o)}}
}

// serve runs a platform, and returns its address and a function that stops it and
// returns what it printed.
func serve(s *clitest.Shell, args ...string) (url string, stop func() string) {
	s.T.Helper()
	var out clitest.Buffer
	url, end := s.Listen(cli.Outside{Stdout: &out, Stderr: &out},
		append([]string{"platform", "--listen", "127.0.0.1:0", "--log", "off", "--speed", "50"}, args...)...)
	return url, func() string {
		require.Equal(s.T, cli.ExitOK, end(), out.String())
		return out.String()
	}
}

// credentials reads the file that the tests have the platform write.
func credentials(t *testing.T) (c platform.Credentials) {
	t.Helper()
	text, err := os.ReadFile("c.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &c))
	return c
}

// place asks for a call and returns the answer's status and body.
func place(t *testing.T, client *http.Client, c platform.Credentials, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.VoiceBaseURL+"/channels/voice", strings.NewReader(body))
	require.NoError(t, err)
	req.SetBasicAuth(c.Accounts[0].ID, c.Accounts[0].ClientID)
	req.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(text)
}

// TestCredentialsFileSurvivesRestart checks that the credentials file has its documented members, is readable by its owner only, and
// has the same credentials after a restart.
func TestCredentialsFileSurvivesRestart(t *testing.T) {
	s := newShell(t)
	url, stop := serve(s, "--db", "p.db", "--credentials-file", "c.json")
	text, err := os.ReadFile("c.json")
	require.NoError(t, err)
	var shape struct {
		BaseURL      string `json:"base_url"`
		VoiceBaseURL string `json:"voice_base_url"`
		Organisation struct{ ID, Name string }
		Users        []struct {
			Username, Password string
			Roles              []string
		}
		Accounts []struct {
			ID, Name, MBN, Domain string
			ClientID              string `json:"client_id"`
			DDIs                  []struct{ ID, Name string }
		}
	}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&shape))
	require.Equal(t, []string{url, url}, []string{shape.BaseURL, shape.VoiceBaseURL})
	roles := map[string]bool{}
	for _, u := range shape.Users {
		roles[u.Roles[0]] = true
	}
	require.Len(t, roles, 3, "a user for each role")
	require.Len(t, shape.Accounts, 2)
	info, err := os.Stat("c.json")
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	before := credentials(t)
	printed := stop()
	require.NotContains(t, printed, before.Users[0].Password, "not on the screen as well")
	require.NoFileExists(t, "url-1")

	_, stop = serve(s, "--db", "p.db", "--credentials-file", "c.json")
	after := credentials(t)
	require.Equal(t, before.Users, after.Users)
	require.Equal(t, before.Accounts, after.Accounts)
	status, body := place(t, http.DefaultClient, after, minimal)
	require.Equal(t, http.StatusCreated, status, body)
	stop()

	s.Write("c.json", "hello")
	require.Contains(t, s.Fails(cli.ExitUsage, "platform", "--listen", "127.0.0.1:0", "--credentials-file", "c.json"), "not a credentials file")
}

// TestCredentialsDraftIsUsedAfterAKill checks that a draft that a killed first start has left is used, and that a link with
// the former name of drafts is left unchanged.
func TestCredentialsDraftIsUsedAfterAKill(t *testing.T) {
	s := newShell(t)
	require.NoError(t, os.WriteFile("victim", []byte("mine"), 0o600))
	require.NoError(t, os.Symlink("victim", "c.json.tmp"))
	_, stop := serve(s, "--db", "p.db", "--credentials-file", "c.json")
	stop()
	before := credentials(t)
	require.NoError(t, os.Rename("c.json", ".c.json.draft"))
	_, stop = serve(s, "--db", "p.db", "--credentials-file", "c.json")
	stop()
	require.Equal(t, before.Users, credentials(t).Users)
	require.Equal(t, before.Accounts, credentials(t).Accounts)
	require.NoFileExists(t, ".c.json.draft")

	text, err := os.ReadFile("victim")
	require.NoError(t, err)
	require.Equal(t, "mine", string(text))
	to, err := os.Readlink("c.json.tmp")
	require.NoError(t, err)
	require.Equal(t, "victim", to)
	about, err := os.Stat("c.json")
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), about.Mode().Perm())
}

// TestCredentialsStayValidWithoutTheirFile starts an existing database whose credentials file is missing: the old credentials
// stay valid, and new ones are made on request.
func TestCredentialsStayValidWithoutTheirFile(t *testing.T) {
	s := newShell(t)
	_, stop := serve(s, "--db", "p.db", "--credentials-file", "c.json")
	before := credentials(t)
	stop()
	require.NoError(t, os.Rename("c.json", "kept.json"))

	url, stop := serve(s, "--db", "p.db", "--credentials-file", "c.json")
	blank := credentials(t)
	require.Empty(t, blank.Users[0].Password)
	require.Empty(t, blank.Accounts[0].ClientID)
	before.VoiceBaseURL = url
	status, body := place(t, http.DefaultClient, before, minimal)
	require.Equal(t, http.StatusCreated, status, body)
	require.Contains(t, s.OK("platform", "user", "password", "admin", "--platform", url), `"password"`)
	require.Contains(t, s.OK("platform", "account", "client", "otterbridge taxis", "--platform", url), `"client_id"`)
	require.Contains(t, s.OK("platform", "user", "add", "night", "--platform", url), "night")
	require.Contains(t, s.Fails(cli.ExitFindings, "platform", "user", "password", "nobody", "--platform", url), "no such user")
	status, _ = place(t, http.DefaultClient, before, minimal)
	require.Equal(t, http.StatusUnauthorized, status)
	renewed := credentials(t)
	status, body = place(t, http.DefaultClient, renewed, minimal)
	require.Equal(t, http.StatusCreated, status, body)
	printed := stop()
	require.Contains(t, printed, "cabrank platform user password 'recorder' --platform "+url)
	require.NotContains(t, printed, renewed.Users[0].Password)

	_, stop = serve(s, "--db", "p.db", "--credentials-file", "c.json")
	require.Equal(t, renewed.Users, credentials(t).Users, "what was made on request is kept in the file")
	require.Equal(t, renewed.Accounts, credentials(t).Accounts)
	stop()
}

// TestCredentialsArePrintedOnce checks that without a file, credentials are printed when the database is new, and not
// at the next start.
func TestCredentialsArePrintedOnce(t *testing.T) {
	s := newShell(t)
	_, stop := serve(s, "--db", "p.db")
	first := stop()
	require.Regexp(t, `(?m)^  user +admin \S+  \(OrganisationAdmin\)$`, first)
	require.Regexp(t, `(?m)^  account +\S+ \S+  \(Harbour Minicabs`, first)
	require.NotContains(t, first, "not known here")
	_, stop = serve(s, "--db", "p.db")
	again := stop()
	require.NotRegexp(t, `(?m)^  (user|account) `, again)
	require.Contains(t, again, "those that were printed, or written, when it was new")
	require.Contains(t, again, "curl -u ACCOUNT_ID:CLIENT_ID")
}

// rung waits as an extension with a script while a call is placed, and returns what 'cabrank call'
// says of it.
func rung(t *testing.T, script, call string) string {
	t.Helper()
	s := newShell(t)
	url, _ := serve(s, "--credentials-file", "c.json", "--seed", "7")
	c := credentials(t)
	s.Write("script.json", script)
	var out clitest.Buffer
	done := make(chan int)
	go func() {
		done <- s.Exec(t.Context(), cli.Outside{Stdout: &out, Stderr: &out}, "call", "--as", "201", "--platform", url, "--script", "script.json", "--json")
	}()
	require.Eventually(t, func() bool {
		status, _ := place(t, http.DefaultClient, c, call)
		return status == http.StatusCreated
	}, time.Minute, 10*time.Millisecond, "the extension does not wait for a call")
	require.Equal(t, cli.ExitOK, <-done, out.String())
	return out.String()
}

// TestWaitingExtensionAnswersACall checks that 'call --as' waits as an extension, answers a call and follows its script.
func TestWaitingExtensionAnswersACall(t *testing.T) {
	out := rung(t, `[{"expect":"press 1"},{"press":"1"},{"expect":"goodbye"}]`,
		`{"target":{"extension":{"extension":"201"}},"verbs":[{"gather":{"say":{"text":["Press 1."]}}},{"say":{"text":["Goodbye."]}}]}`)
	var summary map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &summary))
	require.ElementsMatch(t, []string{"callId", "from", "to", "status", "cause", "durationMs", "transcript"}, keys(summary))
	require.Equal(t, "completed", summary["status"])
	require.ElementsMatch(t, []string{"atMs", "party", "kind", "text"}, keys(summary["transcript"].([]any)[0].(map[string]any)))
}

// TestExtensionEndsWhileTheCallContinues checks that 'call --as' ends when its extension hangs up, although the call that dialled it
// continues.
func TestExtensionEndsWhileTheCallContinues(t *testing.T) {
	out := rung(t, `[{"hangup":true}]`,
		`{"target":{"phoneNumber":{"number":"+442079460001"}},"verbs":[{"dial":{"targets":[{"extension":{"extension":"201"}}]}},{"gather":{"timeout":60}}]}`)
	var summary struct {
		Status string
		Cause  int
	}
	require.NoError(t, json.Unmarshal([]byte(out), &summary))
	require.Equal(t, "completed", summary.Status, out)
	require.Equal(t, 16, summary.Cause)
}

func keys(m map[string]any) (list []string) {
	for k := range m {
		list = append(list, k)
	}
	return list
}

// TestFailedCallsAreExplained checks the messages and exit codes for numbers that lead nowhere, invalid flags and an
// unreachable platform.
func TestFailedCallsAreExplained(t *testing.T) {
	s := newShell(t)
	url, _ := serve(s)
	at := []string{"--platform", url}
	out := s.OK(append([]string{"call", "441632960103", "--from", "442079460001"}, at...)...)
	require.Contains(t, out, "the number leads nowhere")
	require.Contains(t, out, "failed")
	out = s.OK(append([]string{"call", "441632960101", "--from", "442079460001"}, at...)...)
	require.Contains(t, out, "Welcome to Otterbridge Taxis.")
	require.Contains(t, out, "completed")
	require.Contains(t, s.Fails(cli.ExitFindings, append([]string{"call", "441632960999"}, at...)...), "not_found")
	require.Contains(t, s.Fails(cli.ExitUsage, "call", "tax"), `"tax" is neither a number to call nor the word taxi; did you mean taxi?`)
	require.Contains(t, s.Fails(cli.ExitUsage, "call", "taxi", "--platform", "127.0.0.1:1"), `--platform "127.0.0.1:1" is not an address; want http://127.0.0.1:1`)
	s.Write("bad.json", `[{"sing":"la"}]`)
	require.Contains(t, s.Fails(cli.ExitUsage, append([]string{"call", "441632960101", "--script", "bad.json"}, at...)...), "/0/sing is not a known member")
	require.Contains(t, s.Fails(cli.ExitUsage, append([]string{"call", "441632960101", "--from", "abc"}, at...)...), "/from")
	require.Contains(t, s.Fails(cli.ExitUsage, append([]string{"call"}, at...)...), "--as EXTENSION")
	require.Contains(t, s.Fails(cli.ExitUsage, "call", "1", "--script", "nowhere.json"), "nowhere.json")
	require.Contains(t, s.Fails(cli.ExitUnreachable, "call", "441632960101", "--platform", "http://127.0.0.1:1"), "'cabrank platform' starts")
}

// TestCallWithoutInputHangsUpAfterPatience checks that a call whose input has ended hangs up after --patience without
// speech. The call is with a person, who waits as well; the input of tests is empty.
func TestCallWithoutInputHangsUpAfterPatience(t *testing.T) {
	s := newParallelShell(t)
	url, _ := serve(s, "--third-party", "http://127.0.0.1:1")
	var out clitest.Buffer
	code := s.Exec(t.Context(), cli.Outside{Stdout: &out, Stderr: &out},
		"call", "taxi", "--from", "442079460001", "--platform", url, "--patience", "1s")
	require.Equal(t, cli.ExitOK, code, out.String())
	require.Contains(t, out.String(), "no input and no speech for 1s: hanging up")
	require.Contains(t, out.String(), "I will put you through to a person.")
}

// TestUsersAccountsAndNumbersAreAdded adds a user, an account and a number.
func TestUsersAccountsAndNumbersAreAdded(t *testing.T) {
	s := newShell(t)
	url, _ := serve(s)
	require.Contains(t, s.OK("platform", "user", "add", "night", "--role", "VoiceChannel", "--platform", url), `"password"`)
	require.Contains(t, s.Fails(cli.ExitFindings, "platform", "user", "add", "night", "--platform", url), "another user's")
	require.Contains(t, s.OK("platform", "account", "add", "Airport", "--mbn", "441632960300", "--platform", url), `"client_id"`)
	require.Contains(t, s.OK("platform", "ddi", "add", "441632960301", "--account", "airport", "--platform", url), "441632960301")
	require.Contains(t, s.Fails(cli.ExitUsage, "platform", "ddi", "add", "441632960302", "--platform", url), "--account is missing")
}

// TestNetworkPlatformRequiresControlToken checks that changes of a platform on the network need its control token.
func TestNetworkPlatformRequiresControlToken(t *testing.T) {
	s := newShell(t)
	var out clitest.Buffer
	url, _ := s.Listen(cli.Outside{Stdout: &out, Stderr: &out}, "platform", "--listen", "0.0.0.0:0", "--log", "off", "--credentials-file", "c.json")
	var token []string
	require.Eventually(t, func() bool {
		token = regexp.MustCompile(`control token +(\S+)`).FindStringSubmatch(out.String())
		return len(token) == 2
	}, time.Minute, 5*time.Millisecond, "no control token")
	add := []string{"platform", "account", "add", "Airport", "--mbn", "33199000300", "--domain", "airport.example", "--platform", url}
	require.Contains(t, s.Fails(cli.ExitFindings, add...), "control_token_required")
	add = append(add, "--control-token", token[1])
	require.Contains(t, s.Fails(cli.ExitFindings, append(add, "--country", "atlantis")...), "country")
	require.Contains(t, s.OK(append(add, "--country", "fr")...), "airport.example")
}

// TestSelfSignedCertificateCanBeTrusted checks that clients with the generated certificate can call a platform over TLS.
func TestSelfSignedCertificateCanBeTrusted(t *testing.T) {
	s := newShell(t)
	url, stop := serve(s, "--tls-cert", "cert.pem", "--credentials-file", "c.json")
	require.True(t, strings.HasPrefix(url, "https://"))
	text, err := os.ReadFile("cert.pem")
	require.NoError(t, err)
	pool := x509.NewCertPool()
	require.True(t, pool.AppendCertsFromPEM(text))
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	defer transport.CloseIdleConnections()
	status, body := place(t, &http.Client{Transport: transport}, credentials(t),
		`{"target":{"phoneNumber":{"number":"+442079460486"}},"verbs":[]}`)
	require.Equal(t, http.StatusCreated, status, body)
	require.Contains(t, s.OK("call", "441632960101", "--platform", url, "--ca", "cert.pem"), "Welcome")
	transport.CloseIdleConnections()
	stop()
}

// TestPlatformRefusesInvalidFlags starts with the lowest --recordings-most, and checks that a lower value and other invalid
// flags are refused.
func TestPlatformRefusesInvalidFlags(t *testing.T) {
	s := newShell(t)
	_, stop := serve(s, "--recordings", "rec", "--recordings-most", "1")
	stop()
	require.DirExists(t, "rec")
	s.Write("none.pem", "nothing")
	for _, row := range []struct {
		args []string
		says string
	}{
		{[]string{"--speed", "0"}, "--speed"},
		{[]string{"--live-calls", "0"}, "--live-calls"},
		{[]string{"--calls-per-second", "-1"}, "--calls-per-second"},
		{[]string{"--token-life", "1ms"}, "--token-life"},
		{[]string{"--refresh-life", "1m"}, "--refresh-life"},
		{[]string{"--log", "loud"}, "--log"},
		{[]string{"--listen", "nowhere:x"}, "--listen"},
		{[]string{"--db", "/nowhere/p.db"}, "--db"},
		{[]string{"--credentials-file", "/nowhere/c.json"}, "--credentials-file"},
		{[]string{"--recordings-most", "0"}, "--recordings-most is 0, want 1 to"},
		{[]string{"--allow-external-calls"}, "--allow-external-calls wants --sip"},
		{[]string{"--sip", "127.0.0.1:0", "--speed", "2"}, "--speed cannot be 2"},
		{[]string{"--sip", "127.0.0.1:0", "--rtp-ports", "9"}, "want two ports"},
		{[]string{"--sip", "192.0.2.7:5060"}, "that wants --allow-external-calls"},
		{[]string{"--sip", "0.0.0.0:5060", "--allow-external-calls"}, "names no address that others can be told"},
		{[]string{"--third-party-auth", "bearer:x"}, "--third-party is missing"},
		{[]string{"--third-party", "dispatch"}, `--third-party "dispatch" is not an address; want http://d`},
		{[]string{"--third-party", "http://u:secret@127.0.0.1:1"}, "--third-party: holds credentials; give them apart"},
		{[]string{"--third-party", "http://127.0.0.1:1/?key=secret"}, "--third-party: has a query or a fragment; the operat"},
		{[]string{"--third-party", "http://127.0.0.1:1", "--third-party-auth", "x"}, "--third-party-auth: want"},
		{[]string{"--third-party", "http://127.0.0.1:1", "--third-party-ca", "none.pem"}, "no certificate"},
	} {
		require.Contains(t, s.Fails(cli.ExitUsage, append([]string{"platform", "--listen", "127.0.0.1:0"}, row.args...)...), row.says)
	}
}

// TestGivenControlTokenIsRequiredOnLoopback checks that a control token given by a flag is required on loopback as well.
func TestGivenControlTokenIsRequiredOnLoopback(t *testing.T) {
	const token = "token-of-this-test"
	s := newShell(t)
	require.NoError(t, os.WriteFile("token.txt", []byte(token), 0o600))
	url, _ := serve(s, "--control-token", "@token.txt")
	add := []string{"platform", "user", "add", "night", "--role", "VoiceChannel", "--platform"}
	require.Contains(t, s.Fails(cli.ExitFindings, append(add, url)...), "control_token_required")
	require.Contains(t, s.OK(append(add, url, "--control-token", token)...), `"password"`)
	require.Contains(t, s.Fails(cli.ExitUsage, "platform", "--control-token", "short"), "shorter than 16")
	require.Contains(t, s.Fails(cli.ExitUsage, "platform", "--control-token", "env:NOT_THERE"), "NOT_THERE")
}

// TestSeedDoesNotDetermineNetworkPasswords starts two platforms that other machines can call, with the same seed:
// their passwords differ.
func TestSeedDoesNotDetermineNetworkPasswords(t *testing.T) {
	known := map[string]bool{}
	for range 2 {
		s := newShell(t)
		_, stop := serve(s, "--listen", "0.0.0.0:0", "--seed", "1", "--credentials-file", "c.json")
		stop()
		for _, u := range credentials(t).Users {
			require.False(t, known[u.Password])
			known[u.Password] = true
		}
	}
}
