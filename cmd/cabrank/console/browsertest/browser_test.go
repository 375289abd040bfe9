//go:build browser

package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

// shared is what the tests of a run have in common: the program and the browser, each made
// when it is first wanted.
var shared struct {
	mu      sync.Mutex // guards what follows, but for dir
	dir     string     // gone after the run
	program string
	browser context.Context
	end     func()
}

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if shared.dir, err = os.MkdirTemp("", "browsertest"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(shared.dir)
	defer func() {
		if shared.end != nil {
			shared.end()
		}
	}()
	return m.Run()
}

// needBrowser skips a test that nobody asked for, or that cannot be done here.
func needBrowser(t *testing.T) {
	t.Helper()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.browser != nil {
		return
	}
	at := chromium()
	switch {
	case at == "" && os.Getenv("MUST_RUN") != "":
		t.Fatal("MUST_RUN is set, and there is no chromium here")
	case at == "":
		t.Skip("there is no chromium here")
	}
	startBrowser(t, at)
}

// chromium is where a browser is; "" if there is none.
func chromium() string {
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if at, err := exec.LookPath(name); err == nil {
			return at
		}
	}
	return ""
}

// startBrowser starts the one browser that most tests of a run share.
func startBrowser(t *testing.T, at string) {
	t.Helper()
	allocator, stop := chromedp.NewExecAllocator(context.Background(), usualOptions(filepath.Join(shared.dir, "profile"), at)...)
	browser, closeIt := chromedp.NewContext(allocator)
	if err := chromedp.Do(browser); err != nil {
		closeIt()
		stop()
		t.Fatalf("%s does not start: %v", at, err)
	}
	shared.browser = browser
	shared.end = func() {
		_ = chromedp.Cancel(browser) // waits until it has gone
		stop()
	}
}

// ownBrowser starts a browser that a test has for itself, with more options.
func ownBrowser(t *testing.T, more ...chromedp.ExecAllocatorOption) context.Context {
	t.Helper()
	needBrowser(t)
	allocator, stop := chromedp.NewExecAllocator(context.Background(), append(usualOptions(filepath.Join(t.TempDir(), "profile"), chromium()), more...)...)
	t.Cleanup(stop)
	browser, _ := chromedp.NewContext(allocator)
	if err := chromedp.Do(browser); err != nil {
		t.Fatalf("the browser does not start: %v", err)
	}
	t.Cleanup(func() { _ = chromedp.Cancel(browser) })
	return browser
}

// usualOptions are those of all browsers. They find no host but this one, whatever a page asks for.
func usualOptions(profile, at string) []chromedp.ExecAllocatorOption {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(at),
		chromedp.UserDataDir(profile),
		chromedp.DisableGPU,
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
		chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("font-render-hinting", "none"),
		chromedp.Flag("mute-audio", true),
		chromedp.Flag("autoplay-policy", "no-user-gesture-required"),
	)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	return options
}

// patience is how long anything may take on a machine that is busy.
const patience = time.Minute

// program builds the real program, once.
func program(t *testing.T) string {
	t.Helper()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.program == "" {
		shared.program = clitest.Build(t, shared.dir)
	}
	return shared.program
}

// server is a process of the program that serves.
type server struct {
	*clitest.Process
	t     *testing.T
	alone bool // there is no voice platform beside it
	url   string
	token string // that its control API wants
}

// serve starts 'cabrank COMMAND ARGS' and waits until it serves. It is ended with the
// test, which is skipped if there is no browser.
func serve(t *testing.T, command string, args ...string) *server {
	t.Helper()
	needBrowser(t)
	p := clitest.Start(t, program(t), command, args...).Serving()
	return &server{Process: p, t: t, alone: command == "serve", url: p.URL}
}

// call makes a call of the server, which must succeed, and returns what its JSON says.
func (s *server) call(method, path string, body any) (answer map[string]any) {
	s.t.Helper()
	status, _, said := s.ask(method, path, body)
	require.Less(s.t, status, 300, "%s %s: %s", method, path, said)
	if len(said) > 0 {
		require.NoError(s.t, json.Unmarshal(said, &answer), "%s %s: %s", method, path, said)
	}
	return answer
}

// ask makes a call of the server and returns its answer, whatever that is.
func (s *server) ask(method, path string, body any) (status int, header http.Header, said []byte) {
	s.t.Helper()
	var text []byte
	if body != nil {
		var err error
		text, err = json.Marshal(body)
		require.NoError(s.t, err)
	}
	answer := clitest.Send(s.t, method, s.url+path, string(text), func(r *http.Request) {
		if s.token != "" {
			r.Header.Set("Authorization", "Bearer "+s.token)
		}
	})
	return answer.Status, answer.Header, []byte(answer.Body)
}
