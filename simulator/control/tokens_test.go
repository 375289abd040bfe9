package control_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/tokens"
	"github.com/cabrank/cabrank/simulator/host"
)

const ownToken = "the-servers-own-token"

// noted stores settings, which a test may inspect, and which several servers may share.
type noted struct {
	mu    sync.Mutex
	texts map[string]string
	reads int
	fails error
}

func (n *noted) Setting(_ context.Context, key string) (string, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.reads++
	return n.texts[key], n.fails
}

func (n *noted) ChangeSetting(_ context.Context, key string, change func(string) (string, error)) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	_, _ = change(n.texts[key]) // as where another process was faster
	text, err := change(n.texts[key])
	if err == nil {
		n.texts[key] = text
	}
	return errors.Join(err, n.fails)
}

func (n *noted) fail(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.fails = err
}

// tokenRig returns a server whose wall clock the test moves, with a token of the server if one
// is named.
func tokenRig(t testing.TB, token, public string, settings tokens.Settings) (*rig, *atomic.Int64) {
	t.Helper()
	var passed atomic.Int64
	wall := func() time.Time { return monday.Add(time.Duration(passed.Load())) }
	config := still()
	config.Town = "none"
	o := control.Options{Config: config, Now: wall, Token: token, Settings: settings, ThirdPartyURL: public, ControlURL: public}
	return serveRig(t, openServer(t, o, host.Deps{}, host.Deps{})).as(token), &passed
}

// secret adds a token and returns its secret.
func (r *rig) secret(order string) string {
	r.Helper()
	return do[control.NewToken](r, "POST", "/tokens", order).Secret
}

// TestTokensGrantOnlyTheirRights checks each call with each token: of the sandboxes, one is ann's, one is the
// reader's, and one nobody's.
func TestTokensGrantOnlyTheirRights(t *testing.T) {
	main, _ := tokenRig(t, ownToken, "", nil)
	tokens := map[string]string{
		"none": "", "wrong": "wrong", "server": ownToken,
		"reader": main.secret(`{"name":"reader","may":"read"}`), "boss": main.secret(`{"name":"boss","may":"everything"}`),
		"ann": main.secret(`{"name":"ann","may":"sandboxes"}`), "bob": main.secret(`{"name":"bob","may":"sandboxes"}`),
	}
	do[control.Sandbox](main.as(tokens["ann"]), "POST", "/sandboxes", `{"name":"anns"}`)
	do[control.Sandbox](main, "POST", "/sandboxes", `{"name":"readers","owner":"reader"}`)
	do[control.Sandbox](main, "POST", "/sandboxes", `{"name":"nobodys"}`)
	const readers, owners, admins = "reader ann bob boss server", "ann bob boss server", "boss server"
	for _, row := range []struct{ at, method, path, body, may string }{
		{"", "GET", "/", "", readers},
		{"", "GET", "/journeys", "", readers},
		{"", "GET", "/sandboxes", "", readers},
		{"", "GET", "/sandboxes/anns", "", readers},
		{"", "GET", "/sd", "", readers},
		{"", "POST", "/requests/find", "{}", readers},
		{"", "POST", "/verify", "{}", readers},
		{"", "DELETE", "/requests", "", admins},
		{"", "PUT", "/clock", "{}", admins},
		{"", "POST", "/clock/advance", `{"by":"1s"}`, admins},
		{"", "PUT", "/snapshots/a", "", admins},
		{"", "POST", "/faults", `{"do":{"kind":"close"}}`, admins},
		{"", "GET", "/tokens", "", admins},
		{"", "POST", "/tokens", `{"name":"reader","may":"read"}`, admins},
		{"", "DELETE", "/tokens/nobody", "", admins},
		{"", "POST", "/sandboxes", "{}", owners},
		{"", "POST", "/sandboxes", `{"owner":"ann"}`, "ann boss server"},
		{"", "DELETE", "/sandboxes/none", "", owners},
		{"/s/anns", "GET", "/clock", "", readers},
		{"/s/anns", "POST", "/requests/count", "{}", readers},
		{"/s/anns", "PUT", "/clock", "{}", "ann boss server"},
		{"/s/anns", "DELETE", "/requests", "", "ann boss server"},
		{"/s/anns", "DELETE", "/faults", "", "ann boss server"},
		{"/s/readers", "PUT", "/clock", "{}", admins},
		{"/s/nobodys", "PUT", "/clock", "{}", admins},
		{"", "DELETE", "/sandboxes/nobodys", "", admins},
	} {
		for _, who := range []string{"none", "wrong", "reader", "ann", "bob", "boss", "server"} {
			status, text := main.at(row.at).as(tokens[who]).send(row.method, row.path, row.body)
			switch {
			case who == "none" || who == "wrong":
				require.Equal(t, http.StatusUnauthorized, status, "%s: %v: %s", who, row, text)
			case slices.Contains(strings.Fields(row.may), who):
				require.NotContains(t, []int{http.StatusUnauthorized, http.StatusForbidden}, status, "%s: %v: %s", who, row, text)
			default:
				require.Equal(t, http.StatusForbidden, status, "%s: %v: %s", who, row, text)
				require.Contains(t, text, `"code":"forbidden"`)
				require.Contains(t, text, "the token "+who+" has the right ")
			}
		}
	}
	for who, token := range tokens {
		want := http.StatusOK
		if who == "none" || who == "wrong" {
			want = http.StatusUnauthorized
		}
		for _, path := range []string{"/metrics", "/s/anns/metrics"} {
			status, _ := main.page(http.MethodGet, path, token, "cab.example")
			require.Equal(t, want, status, "%s %s", who, path)
		}
	}
	_, err := main.at("/s/anns").desk.Config(t.Context(), taxi.ConfigRequest{})
	require.NoError(t, err, "the operations ask for none")
	require.Contains(t, main.at("/s/anns").as(tokens["bob"]).refused("DELETE", "/faults", "", 403).Detail,
		"needs the right everything, and the token bob has the right sandboxes; the sandbox anns belongs to ann")
	require.Contains(t, main.at("/s/readers").as(tokens["reader"]).refused("DELETE", "/faults", "", 403).Detail, "needs the right sandboxes, and the token reader has the right read")
	require.Contains(t, main.as(tokens["bob"]).refused("DELETE", "/sandboxes/anns", "", 403).Detail, "belongs to ann")
	status, _ := main.as(tokens["ann"]).send("DELETE", "/sandboxes/anns", "")
	require.Equal(t, http.StatusNoContent, status)
}

// TestGuardedPagesRequireRights checks that the pages beside control require the same rights.
func TestGuardedPagesRequireRights(t *testing.T) {
	main, _ := tokenRig(t, ownToken, "", nil)
	reader := main.secret(`{"name":"reader","may":"read"}`)
	guarded := main.Guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	ask := func(method, token, upgrade string) int {
		req := httptest.NewRequestWithContext(t.Context(), method, "/console/checks", nil)
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("Upgrade", upgrade)
		answer := httptest.NewRecorder()
		guarded.ServeHTTP(answer, req)
		return answer.Code
	}
	require.Equal(t, http.StatusNoContent, ask("GET", reader, ""))
	require.Equal(t, http.StatusForbidden, ask("GET", reader, "websocket"))
	require.Equal(t, http.StatusForbidden, ask("POST", reader, ""))
	require.Equal(t, http.StatusNoContent, ask("POST", ownToken, ""))
	require.Equal(t, http.StatusUnauthorized, ask("GET", "wrong", ""))
}

// TestTokensAreCreatedExpiredAndRemoved checks that tokens are added, listed, removed and expire, at two servers
// that share their settings.
func TestTokensAreCreatedExpiredAndRemoved(t *testing.T) {
	shared := &noted{texts: map[string]string{}}
	main, passed := tokenRig(t, ownToken, "", shared)
	other, later := tokenRig(t, ownToken, "", shared)
	require.Empty(t, do[control.TokenList](main, "GET", "/tokens", "").Tokens)
	require.Empty(t, do[control.TokenList](other, "GET", "/tokens", "").Tokens)
	made := do[control.NewToken](main, "POST", "/tokens", `{"name":"ann","may":"sandboxes","sandboxes":5,"for":"30d"}`)
	require.Equal(t, tokens.Token{Name: "ann", May: tokens.MaySandboxes, Sandboxes: 5, Made: monday, Expires: monday.Add(30 * 24 * time.Hour)}, made.Token)
	require.Regexp(t, `^[A-Z2-7]{26,}$`, made.Secret)
	bob := do[control.NewToken](main, "POST", "/tokens", `{"name":"a-bob","may":"sandboxes"}`)
	require.Equal(t, 20, bob.Sandboxes)
	require.NotContains(t, shared.texts["tokens"], made.Secret)
	_, text := main.send("GET", "/tokens", "")
	require.NotContains(t, text, "sha256")
	list := do[control.TokenList](main, "GET", "/tokens", "")
	require.Equal(t, []tokens.Token{bob.Token, made.Token}, list.Tokens)
	require.Equal(t, taxi.Code("token-exists"), main.refused("POST", "/tokens", `{"name":"ann","may":"read"}`, 409).Code)

	do[control.Clock](main.as(made.Secret), "GET", "/clock", "")
	reads := shared.reads
	for range 50 {
		do[control.Clock](main.as(made.Secret), "GET", "/clock", "")
	}
	require.Equal(t, reads, shared.reads, "one read serves for a second")

	do[control.Clock](other.as(made.Secret), "GET", "/clock", "")
	status, _ := main.send("DELETE", "/tokens/ann", "")
	require.Equal(t, http.StatusNoContent, status)
	main.as(made.Secret).refused("GET", "/clock", "", 401)
	later.Store(int64(time.Second))
	other.as(made.Secret).refused("GET", "/clock", "", 401)
	require.Equal(t, taxi.Code("token-not-found"), main.refused("DELETE", "/tokens/ann", "", 404).Code)

	again := do[control.NewToken](main, "POST", "/tokens", `{"name":"ann","may":"read","for":"2026-06-01T08:00:10Z"}`)
	require.NotEqual(t, made.Secret, again.Secret)
	do[control.Clock](main.as(again.Secret), "GET", "/clock", "")
	passed.Store(int64(10 * time.Second))
	require.Contains(t, main.as(again.Secret).refused("GET", "/clock", "", 401).Detail, "the token ann has expired")
}

// TestInvalidTokenOrdersAreRefused checks that invalid tokens are refused, and so is one more than there
// may be.
func TestInvalidTokenOrdersAreRefused(t *testing.T) {
	shared := &noted{texts: map[string]string{}}
	main, _ := tokenRig(t, ownToken, "", shared)
	for order, want := range map[string]string{
		`{}`: "/name", `{"name":"Ann","may":"read"}`: "/name", `{"name":"` + strings.Repeat("a", 41) + `","may":"read"}`: "/name",
		`{"name":"ann"}`: "/may", `{"name":"ann","may":"write"}`: "/may",
		`{"name":"ann","may":"read","sandboxes":5}`: "/sandboxes", `{"name":"ann","may":"sandboxes","sandboxes":201}`: "/sandboxes",
		`{"name":"ann","may":"sandboxes","sandboxes":-1}`: "/sandboxes",
		`{"name":"ann","may":"read","for":"soon"}`:        "/for", `{"name":"ann","may":"read","for":"0d"}`: "/for",
		`{"name":"ann","may":"read","for":"-1h"}`: "/for", `{"name":"ann","may":"read","for":"3651d"}`: "/for",
		`{"name":"ann","may":"read","for":"2026-06-01T08:00:00Z"}`: "/for",
	} {
		require.Equal(t, want, main.refused("POST", "/tokens", order, 422).Errors[0].Pointer, order)
	}
	var kept struct {
		Tokens []map[string]any `json:"tokens"`
	}
	main.secret(`{"name":"t","may":"read"}`)
	require.NoError(t, json.Unmarshal([]byte(shared.texts["tokens"]), &kept))
	for i := range 499 {
		one := map[string]any{"name": "t" + strconv.Itoa(i), "may": "read", "made": kept.Tokens[0]["made"], "sha256": kept.Tokens[0]["sha256"]}
		kept.Tokens = append(kept.Tokens, one)
	}
	text, err := json.Marshal(kept)
	require.NoError(t, err)
	shared.texts["tokens"] = string(text)
	require.Equal(t, taxi.Code("too-many-tokens"), main.refused("POST", "/tokens", `{"name":"ann","may":"read"}`, 409).Code)
}

// TestFirstTokenNeedsAServerToken checks that a server without a token of its own refuses the first
// token, since nobody could add another, and that it requires a token if the settings have one.
func TestFirstTokenNeedsAServerToken(t *testing.T) {
	shared := &noted{texts: map[string]string{}}
	open, _ := tokenRig(t, "", "", shared)
	p := open.refused("POST", "/tokens", `{"name":"ann","may":"everything"}`, 409)
	require.Equal(t, taxi.Code("no-server-token"), p.Code)
	require.Contains(t, p.Detail, "--control-token")
	require.Equal(t, "ann", do[control.Sandbox](open, "POST", "/sandboxes", `{"name":"a","owner":"ann"}`).Owner)

	own, _ := tokenRig(t, ownToken, "", shared)
	boss := own.secret(`{"name":"boss","may":"everything"}`)
	closed, _ := tokenRig(t, "", "", shared)
	closed.refused("GET", "/clock", "", 401)
	closed.as(ownToken).refused("GET", "/clock", "", 401)
	do[control.Clock](closed.as(boss), "GET", "/clock", "")
	closed.as(boss).secret(`{"name":"ann","may":"read"}`)
}

// TestOnlyOwnTokenWorksIfTokensAreUnreadable checks that only the server's own token is accepted if the other
// tokens cannot be read.
func TestOnlyOwnTokenWorksIfTokensAreUnreadable(t *testing.T) {
	for name, damage := range map[string]func(*noted){
		"no answer":    func(n *noted) { n.fail(errors.New("the database is away")) },
		"no JSON":      func(n *noted) { n.texts["tokens"] = "{" },
		"a short hash": func(n *noted) { n.texts["tokens"] = `{"tokens":[{"name":"a","may":"read","sha256":""}]}` },
		"another word": func(n *noted) { n.texts["tokens"] = strings.ReplaceAll(n.texts["tokens"], `"read"`, `"all"`) },
	} {
		t.Run(name, func(t *testing.T) {
			shared := &noted{texts: map[string]string{}}
			main, passed := tokenRig(t, ownToken, "", shared)
			open, _ := tokenRig(t, "", "", shared)
			ann := main.secret(`{"name":"ann","may":"read"}`)
			damage(shared)
			passed.Store(int64(time.Second))
			do[control.Clock](main, "GET", "/clock", "")
			require.Equal(t, taxi.CodeStorageUnavailable, main.as(ann).refused("GET", "/clock", "", 503).Code)
			open.refused("GET", "/clock", "", 503)
			_, err := tokens.Exist(t.Context(), shared)
			require.Error(t, err)
		})
	}
}

// TestEventStreamEndsWithItsToken checks that an event stream ends when its token is removed or
// expires, also if the tokens cannot be read at that time.
func TestEventStreamEndsWithItsToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config, settings := still(), &noted{texts: map[string]string{}}
		config.Town = "none"
		s := openServer(t, control.Options{Config: config, Now: time.Now, Token: ownToken, Settings: settings}, host.Deps{}, host.Deps{})
		ask := func(method, path, token, body string) *httptest.ResponseRecorder {
			req := httptest.NewRequestWithContext(t.Context(), method, control.Prefix+path, strings.NewReader(body))
			req.Header.Set("Authorization", "Bearer "+token)
			req.Header.Set("Content-Type", "application/json")
			answer := httptest.NewRecorder()
			s.ServeHTTP(answer, req)
			return answer
		}
		listen := func(order string) <-chan time.Time {
			var made control.NewToken
			require.NoError(t, json.Unmarshal(ask("POST", "/tokens", ownToken, order).Body.Bytes(), &made))
			ended := make(chan time.Time, 1)
			go func() { // ends with the stream
				ask("GET", "/events", made.Secret, "")
				ended <- time.Now()
			}()
			synctest.Wait()
			return ended
		}
		ann, bob := listen(`{"name":"ann","may":"read"}`), listen(`{"name":"bob","may":"read","for":"1m"}`)
		cat := listen(`{"name":"cat","may":"read","for":"2m"}`)
		time.Sleep(30 * time.Second)
		require.Equal(t, http.StatusNoContent, ask("DELETE", "/tokens/ann", ownToken, "").Code)
		removed := time.Now()
		require.WithinDuration(t, removed, <-ann, time.Second)
		require.WithinDuration(t, removed.Add(30*time.Second), <-bob, time.Second)
		settings.fail(errors.New("the database is away"))
		require.WithinDuration(t, removed.Add(90*time.Second), <-cat, time.Second)
		require.NoError(t, s.Close())
	})
}

// TestTokenGuessesAreRateLimited checks that the number of wrong tokens from an address is limited,
// and that this does not lock out a rightful caller from the same address.
func TestTokenGuessesAreRateLimited(t *testing.T) {
	r, passed := metricsRig(t, "s3cret")
	ask := func(token string) int {
		status, text := r.page(http.MethodGet, control.Prefix+"/clock", token, "cab.example")
		require.NotContains(t, text, "s3cret")
		return status
	}
	for range 30 {
		require.Equal(t, http.StatusUnauthorized, ask(""), "who shows nothing does not guess")
	}
	for range 20 {
		require.Equal(t, http.StatusUnauthorized, ask("wrong"))
	}
	require.Equal(t, http.StatusTooManyRequests, ask("s3cret"), "it is not even looked at")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+control.PathMetrics, http.NoBody)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer s3cret")
	resp, err := r.http.Client().Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusTooManyRequests, resp.StatusCode, "the metrics are no way round")
	require.Equal(t, "1", resp.Header.Get("Retry-After"))
	passed.Add(int64(time.Second))
	require.Equal(t, http.StatusOK, ask("s3cret"))
	for range 30 {
		require.Equal(t, http.StatusUnauthorized, ask("wrong"))
	}
	require.Equal(t, http.StatusOK, ask("s3cret"), "whoever guesses does not lock the caller out")
}
