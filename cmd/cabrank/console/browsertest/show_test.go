//go:build browser

package browsertest

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// keepsAnswers is a script that keeps what a page is answered in "answers".
const keepsAnswers = `window.answers = ""; const ask = window.fetch;
window.fetch = async (...what) => { const answer = await ask(...what); answer.clone().text().then((text) => window.answers += text); return answer; };`

// A show: five guests of the room book a taxi on their phones, and a telephone rings by SIP. The presentation names all of them
// and shows nobody's number; no phone is sent that of another one.
func TestGuestsAndTelephoneBookDuringPresentation(t *testing.T) {
	needPrograms(t)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	s := serve(t, "demo", "--no-open", "--speed", "2", "--room", "--room-listen", "127.0.0.1:0", "--sip", "127.0.0.1:0")
	p := open(t, s, "/console/live?present")
	p.until(`document.querySelector(".room svg")`) // the room may open after the page
	address := get[string](p, `document.querySelector(".room svg").getAttribute("aria-label")`)
	origin, path, _ := strings.Cut(address, "/j/")
	names := []string{"Ada", "Ben", "Cem", "Dot", "Eve"}
	guests := make([]*tab, len(names))
	browser := ownBrowser(t, chromedp.Flag("ignore-certificate-errors", true))
	for i, name := range names {
		g := newTabIn(t, browser, &server{t: t, url: origin})
		_, err := chromedp.Call(g.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: keepsAnswers})
		require.NoError(t, err)
		g.look("light", phone)
		g.visit("/j/" + path)
		g.write(`input`, name)
		g.key(kb.Enter)
		g.says(`.says li`, "from Town Hall")
		guests[i] = g
	}
	p.until(`document.querySelector(".room").innerText.includes("5 of 30")`)
	telephone(t, s, "from the town hall to the hospital now")
	for _, g := range guests {
		g.click(`[data-test="call"]`)
		g.says(`ol`, "Where")
		g.write(`form input`, "from the town hall to the harbour now")
		g.key(kb.Enter)
		g.says(`ol`, "Shall I book it?")
		g.press(`.chips button`, "1")
		g.says(`.ride`, "taxi")
	}
	p.until(`fetch("/console/platform/sim/v1/calls").then((r) => r.json()).then((all) => Promise.all(all.map((c) => fetch("/console/platform/sim/v1/calls/" + c.callId).then((r) => r.json())))).then((all) => all.some((c) => c.transcript.some((l) => l.kind === "speech" && l.text.includes("hospital"))))`)
	for _, name := range names {
		p.says(`.crowd .one`, name)
	}
	numbers := map[string]string{}
	for _, j := range s.call("GET", "/_control/v1/journeys?limit=200", nil)["journeys"].([]any) {
		passenger := j.(map[string]any)["passenger"].(map[string]any)
		numbers[passenger["name"].(string)] = strings.TrimPrefix(passenger["phoneNumber"].(string), "+")
	}
	shown := strings.NewReplacer(" ", "", "-", "", "\u00a0", "").Replace(get[string](p, `document.body.innerText`))
	for name, number := range numbers {
		require.NotContains(t, shown, number, "the number of %s is on the wall", name)
		for i, g := range guests {
			if names[i] != name {
				require.NotContains(t, get[string](g, `answers + document.documentElement.outerHTML`), number, "%s is sent the number of %s", names[i], name)
			}
		}
	}
	require.Subset(t, slices.Collect(maps.Keys(numbers)), names)
	p.keep("a-show")
	guests[0].keep("a-guest")
}

// telephone has baresip log in as the telephone of --sip, ring the taxi number and say a sentence.
func telephone(t *testing.T, s *server, sentence string) {
	t.Helper()
	number := regexp.MustCompile(`the taxi number is (\d+)`).FindStringSubmatch(s.Out.String())
	login := regexp.MustCompile(`<sip:201@(127\.0\.0\.1:\d+)>;auth_pass=[0-9a-z]+;`).FindStringSubmatch(s.Out.String())
	require.True(t, login != nil && number != nil, s.Out.String())
	program, err := exec.LookPath("baresip")
	if err != nil {
		require.Empty(t, os.Getenv("MUST_RUN"), "there is no baresip on the path")
		t.Skip("there is no baresip on the path")
	}
	folder := t.TempDir()
	sound := slices.Concat(silence(7), spoken(t, sentence), silence(60))
	half := make([]byte, 0, len(sound)/2)
	for sample := range slices.Chunk(sound, 4) { // every other one: 8 kHz
		half = append(half, sample[:2]...)
	}
	config := "poll_method poll\nsip_listen 127.0.0.1:0\naudio_source aufile," + waveFile(t, half, fileRate/2) + "\naudio_player aufile,none\naudio_alert aufile,none\n" +
		"module_path /usr/lib/baresip/modules\nmodule g711.so\nmodule aufile.so\nmodule_tmp account.so\nmodule_app menu.so\n"
	require.NoError(t, os.WriteFile(filepath.Join(folder, "config"), []byte(config), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "accounts"), []byte(login[0]+"regint=60\n"), 0o600))
	rings := exec.CommandContext(t.Context(), program, "-f", folder, "-e", "/dial sip:"+number[1]+"@"+login[1])
	require.NoError(t, rings.Start())
	t.Cleanup(func() { _ = rings.Wait() }) // the test's context has ended it
}
