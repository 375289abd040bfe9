package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"
)

// nasty is what a server that means harm puts behind its words: a title and a clear screen for
// a terminal, C1, characters that turn a line around or end it, and a line of its own.
const nasty = "\x1b]0;p\a\x1b[2J\x1b[31m\u009b2J\u202e\u2028\x7f\r\nFORGED"

// TestCommandsPrintNoControlCharactersFromResponses puts control characters behind each word of a server's responses,
// names and enumerations alike; no command prints them.
func TestCommandsPrintNoControlCharactersFromResponses(t *testing.T) {
	s := newShell(t)
	real, _ := s.Serve("--cars", "2")
	s.OK("book", "--url", real, "--from", "station", "--to", "airport", "--phone", "442079460001")
	_, _, _ = s.Run("book", "--url", real, "--from", "nowhere@1,2", "--to", "airport", "--phone", "442079460101")
	forger := forging(t, real)
	for _, line := range []string{
		"journeys", "journeys latest", "vehicles", "users", "system", "requests", "requests 1", "requests report", "clock", "fault list",
		"fault kinds", "snapshot list", "sandbox list", "status --journey latest", "magic", "scenario list",
	} {
		for _, more := range []string{"", " --json"} {
			out, said, _ := s.Run(strings.Fields(line + more + " --color never --url " + forger)...)
			for _, text := range []string{out, said} {
				at := strings.IndexFunc(text, hidden)
				require.Negative(t, at, "%s%s: %.20q", line, more, text[max(at, 0):])
				require.NotContains(t, text, "\nFORGED", line)
			}
		}
	}
}

// hidden reports whether a character is not printable. A line end is allowed, and so is the joiner, which holds an
// emoji together.
func hidden(r rune) bool { return r != '\n' && r != '\u200d' && !unicode.IsPrint(r) }

// forging is a server that answers as another one does, and worse.
func forging(t *testing.T, honest string) string {
	t.Helper()
	target, err := url.Parse(honest)
	require.NoError(t, err)
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) },
		ModifyResponse: func(r *http.Response) error {
			text, err := io.ReadAll(r.Body)
			var v any
			if err == nil && json.Unmarshal(text, &v) == nil {
				text, err = json.Marshal(forged(v))
			}
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
			r.Header.Set("Content-Length", strconv.Itoa(len(text)))
			return err
		},
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	return server.URL
}

// forged puts something nasty behind each text of a value that is no time.
func forged(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			v[name] = forged(v[name])
		}
	case []any:
		for i := range v {
			v[i] = forged(v[i])
		}
	case string:
		_, noTime := time.Parse(time.RFC3339, v)
		if _, noSpan := time.ParseDuration(v); noTime != nil && noSpan != nil {
			return v + nasty
		}
	}
	return v
}
