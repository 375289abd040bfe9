package console_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest/ledger"
	"github.com/cabrank/cabrank/cmd/cabrank/console"
)

// shut is a guard that lets nobody through.
func shut(http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
}

func ask(t *testing.T, h http.Handler, method, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// Vendored files are as published, and have their licences.
func TestVendoredFilesAreWhatTheyAreSaidToBe(t *testing.T) {
	var listed []struct{ File, Name, Version, Licence, SHA256 string }
	text := clitest.Read(t, "static/vendor/vendor.json")
	require.NoError(t, json.Unmarshal([]byte(text), &listed))
	known := map[string]bool{"vendor.json": true}
	for _, l := range listed {
		sum := sha256.Sum256([]byte(clitest.Read(t, "static/vendor/"+l.File)))
		require.Equal(t, l.SHA256, hex.EncodeToString(sum[:]), l.File)
		require.NotEmpty(t, l.Version, l.File)
		require.NotEmpty(t, l.Licence, l.File)
		known[l.File] = true
	}
	entries, err := os.ReadDir("static/vendor")
	require.NoError(t, err)
	for _, e := range entries {
		require.True(t, known[e.Name()] || strings.Contains(e.Name(), ".LICENSE.txt"), "%s is not in vendor.json", e.Name())
	}
}

// All of the page is at most 200 KiB as it is sent, compressed.
func TestConsoleFilesAreAtMost200KiB(t *testing.T) {
	c, total := console.New(console.Options{Guard: shut}), 0
	require.NoError(t, filepath.WalkDir("static", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path, ".LICENSE.txt") {
			return err
		}
		sent := ask(t, c, http.MethodGet, "/console"+strings.TrimPrefix(filepath.ToSlash(path), "static"), "Accept-Encoding", "gzip")
		require.Equal(t, http.StatusOK, sent.Code, path)
		total += sent.Body.Len()
		return nil
	}))
	require.LessOrEqual(t, total, 200<<10)
	t.Logf("%d bytes", total)
}

func TestConsoleFilesAreCompressedAndCached(t *testing.T) {
	c := console.New(console.Options{Guard: shut})
	first := ask(t, c, http.MethodGet, "/console/app.js", "Accept-Encoding", "gzip")
	require.Equal(t, http.StatusOK, first.Code)
	require.Equal(t, "gzip", first.Header().Get("Content-Encoding"))
	again := ask(t, c, http.MethodGet, "/console/app.js", "If-None-Match", first.Header().Get("ETag"))
	require.Equal(t, http.StatusNotModified, again.Code)
	require.Empty(t, again.Body.String())
	require.Equal(t, http.StatusNotFound, ask(t, c, http.MethodGet, "/console/none.js").Code)
	require.Equal(t, http.StatusMethodNotAllowed, ask(t, c, http.MethodPost, "/console/app.js").Code)
}

// The content security policy allows the browser only what the page itself serves.
func TestContentSecurityPolicyIsStrict(t *testing.T) {
	c := console.New(console.Options{Guard: shut})
	for _, path := range []string{"/console/", "/console/app.js", "/console/none.js", "/console/platform/sim/v1/calls", "/console"} {
		policy := ask(t, c, http.MethodGet, path).Header().Get("Content-Security-Policy")
		require.Contains(t, policy, "default-src 'none'", path)
		require.NotContains(t, policy, "unsafe", path)
	}
}

func TestPlatformRequestsAreGuardedAndForwarded(t *testing.T) {
	c := console.New(console.Options{Guard: shut})
	require.Equal(t, http.StatusUnauthorized, ask(t, c, http.MethodGet, "/console/platform/sim/v1/calls").Code)
	c = console.New(console.Options{Guard: func(h http.Handler) http.Handler { return h }})
	require.Equal(t, http.StatusNotFound, ask(t, c, http.MethodGet, "/console/platform/sim/v1/calls").Code, "there is no platform")
	require.JSONEq(t, `{"there":false}`, ask(t, c, http.MethodGet, "/console/platform/about").Body.String())
	c.Connect(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(r.URL.Path)) }))
	require.Equal(t, "/sim/v1/calls", ask(t, c, http.MethodGet, "/console/platform/sim/v1/calls").Body.String())
	require.Equal(t, http.StatusNotFound, ask(t, c, http.MethodGet, "/console/platform/oauth/token").Code, "the platform's own API is at its own address")
	require.JSONEq(t, `{"there":true}`, ask(t, c, http.MethodGet, "/console/platform/about").Body.String())
}

// A page cannot set headers when it opens a WebSocket: it shows its token as a subprotocol.
func TestWebSocketSubprotocolCarriesTheToken(t *testing.T) {
	shown := ""
	c := console.New(console.Options{Guard: func(http.Handler) http.Handler {
		return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { shown = r.Header.Get("Authorization") })
	}})
	for protocols, want := range map[string]string{
		"cabrank-line, cabrank-token.a%2Fb%3D": "Bearer a/b=", "cabrank-line": "", "cabrank-token.%zz": "", "": "",
	} {
		ask(t, c, http.MethodGet, "/console/platform/sim/v1/lines", "Sec-WebSocket-Protocol", protocols)
		require.Equal(t, want, shown, protocols)
	}
}

// No two screens' style sheets have rules that begin with the same class, since all of them are loaded at once. Rules
// that screens share are in console.css.
func TestScreenStylesShareNoClass(t *testing.T) {
	comment := regexp.MustCompile(`(?s)/\*.*?\*/`)
	selectors := regexp.MustCompile(`([^{};]*)\{`)
	begins := regexp.MustCompile(`^\.([A-Za-z][\w-]*)`)
	sheets, err := filepath.Glob("static/screens/*.css")
	require.NoError(t, err)
	first := map[string]string{}
	for _, sheet := range sheets {
		text := clitest.Read(t, sheet)
		for _, list := range selectors.FindAllStringSubmatch(comment.ReplaceAllString(text, ""), -1) {
			for one := range strings.SplitSeq(list[1], ",") {
				class := begins.FindString(strings.TrimPrefix(strings.TrimSpace(one), ".present ")) // which is the frame's
				if class == "" {
					continue
				}
				if first[class] == "" {
					first[class] = sheet
				}
				require.Equal(t, first[class], sheet, "both have rules that begin with %s", class)
			}
		}
	}
	require.Contains(t, first, ".requests")
}

// A request to a voice platform that is still starting waits until it is connected.
func TestRequestWaitsForStartingPlatform(t *testing.T) {
	c := console.New(console.Options{Guard: func(h http.Handler) http.Handler { return h }, PlatformComes: true})
	answer := make(chan *httptest.ResponseRecorder)
	go func() { answer <- ask(t, c, http.MethodGet, "/console/platform/sim/v1/calls") }()
	c.Connect(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(r.URL.Path)) }))
	require.Equal(t, "/sim/v1/calls", (<-answer).Body.String())
}

var (
	linked   = regexp.MustCompile(`(?:href|src)="/console/([^"]+)"`)
	imported = regexp.MustCompile(`(?:from|import)\s*"(\.[^"]+)"`)
)

// TestLedger counts what a browser fetches, compressed, until the first screen is there: the
// page, what it links to, what that imports, and the screen itself.
func TestLedger(t *testing.T) {
	ledger.Countable(t)
	c := console.New(console.Options{Guard: shut})
	var names []string
	bytes := 0
	var fetch func(name string)
	fetch = func(name string) {
		if slices.Contains(names, name) {
			return
		}
		names = append(names, name)
		bytes += ask(t, c, http.MethodGet, "/console/"+name, "Accept-Encoding", "gzip").Body.Len()
		sent := ask(t, c, http.MethodGet, "/console/"+name)
		require.Equal(t, http.StatusOK, sent.Code, name)
		text := sent.Body.String()
		for _, m := range linked.FindAllStringSubmatch(text, -1) {
			fetch(m[1])
		}
		if path.Ext(name) == ".js" {
			for _, m := range imported.FindAllStringSubmatch(text, -1) {
				fetch(path.Join(path.Dir(name), m[1]))
			}
		}
	}
	fetch("")
	fetch("screens/live.js")
	ledger.Compare(t, "cmd/cabrank/console",
		ledger.Row{What: "the first screen, without the world's data", Count: float64(len(names)), Unit: "requests"},
		ledger.Row{What: "the first screen, without the world's data", Count: float64(bytes), Unit: "bytes sent"},
	)
}
