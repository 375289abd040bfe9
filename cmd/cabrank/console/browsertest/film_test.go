//go:build browser

package browsertest

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// A call is exported as one HTML file that plays without a server.
func TestAFilmPlaysByItself(t *testing.T) {
	t.Parallel()
	s := serve(t, "demo", "--no-open", "--speed", "60")
	require.Eventually(t, func() bool {
		_, _, said := s.ask("GET", "/console/platform/sim/v1/calls?limit=1", nil)
		var calls []struct{ Status string }
		return json.Unmarshal(said, &calls) == nil && len(calls) == 1 && calls[0].Status == "completed"
	}, patience, 100*time.Millisecond)
	status, header, page := s.ask("GET", "/console/film/latest", nil)
	require.Equal(t, http.StatusOK, status, "%s", page)
	require.Contains(t, header.Get("Content-Disposition"), "call.html")
	require.NotContains(t, string(page), "442079460000", "a film holds no number")
	require.Less(t, len(page), 300<<10)
	s.Stop()

	file := filepath.Join(t.TempDir(), "call.html")
	require.NoError(t, os.WriteFile(file, page, 0o600))
	p := newTab(t, &server{t: t, url: "file://"})
	p.do(chromedp.Navigate("file://" + file))
	p.says("#who", "Ann Other is on the phone")
	p.says("#now", "Where shall we pick you up?")
	get[bool](p, `(at => { at.value = film.durationMs - 500; at.oninput(); return true; })(document.getElementById("at"))`)
	p.says("#made", "/book 200")
	get[bool](p, `(at => { at.value = rideFrom + 100; at.oninput(); return true; })(document.getElementById("at"))`)
	p.says("#now", "way to")
	get[bool](p, `(at => { at.value = whole; at.oninput(); return true; })(document.getElementById("at"))`)
	p.says("#play", "Play again")
}
