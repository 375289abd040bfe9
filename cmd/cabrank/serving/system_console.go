package serving

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/console"
	"github.com/cabrank/cabrank/cmd/cabrank/judging"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/client"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
)

// consoleFlags control whether the console is served.
type consoleFlags struct {
	off      bool
	platform string // address of a voice platform that runs elsewhere

	platformComes bool // the command starts a voice platform beside the system
}

func (f *consoleFlags) add(fs *pflag.FlagSet) {
	fs.BoolVar(&f.off, "no-console", false, "do not serve the console")
	fs.StringVar(&f.platform, "platform", "", "voice platform whose calls and telephones the console shows, such as http://127.0.0.1:8090; http://:TOKEN@HOST:PORT has its control token (env:NAME or @FILE instead)")
}

// open creates the console of a server; nil with --no-console or without control.
func (f *consoleFlags) open(s *system) *console.Console {
	if f.off || s.open.url == "" {
		return nil
	}
	return console.New(console.Options{
		Guard: s.control.Guard, Own: lender{s}, World: s.control, PlatformComes: f.platformComes, Now: cli.Now, Version: cli.Version(),
	})
}

// elsewhere returns the control API of the voice platform of --platform; nil: none is named. Errors never
// contain the address, which may have a token.
func (f *consoleFlags) elsewhere(getenv func(string) string) (http.Handler, error) {
	if f.platform == "" {
		return nil, nil
	}
	if f.off {
		return nil, cli.UsageError("--platform is for the console: leave out --no-console")
	}
	address := f.platform
	if cli.RefersToSecret(address) {
		var err error
		if address, err = cli.SecretFrom(getenv)(address); err != nil {
			return nil, cli.UsageError("--platform: %w", err)
		}
	}
	at, err := url.Parse(address)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Hostname() == "" {
		return nil, cli.UsageError("--platform is not an address; want http://HOST:PORT or http://:TOKEN@HOST:PORT")
	}
	token, _ := at.User.Password()
	at.User = nil
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(at)
			if token != "" {
				r.Out.Header.Set(simapi.ControlHeader, token)
			}
			if origin, err := url.Parse(r.In.Header.Get("Origin")); err == nil && origin.Host == r.In.Host { // the console's own page
				r.Out.Header.Set("Origin", at.Scheme+"://"+at.Host)
			}
		},
		Transport: outbound.Transport(outbound.Options{}),
		ErrorLog:  slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug), // the page says so
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			taxi.NewProblem(http.StatusBadGateway, "platform-away", "the voice platform of --platform does not answer").Send(w)
		},
	}, nil
}

// consoleURL returns the console's address for a browser, or "" if there is no console.
func (s *system) consoleURL() string {
	if s.console == nil {
		return ""
	}
	return s.open.url + console.Prefix
}

// publicConsoleURL returns the console's address for other machines, which begins with --public-url. If that address
// has a path, which the page does not support, it returns [system.consoleURL].
func (f *systemFlags) publicConsoleURL(s *system) string {
	at, err := url.Parse(f.controlURL(s))
	if s.console == nil || err != nil || at.Host == "" || at.Path != "" {
		return s.consoleURL()
	}
	return f.publicURL + console.Prefix
}

// withConsole returns a handler that serves the console, if there is one, and passes all other requests to next.
func (s *system) withConsole(next http.Handler) http.Handler {
	if s.console == nil {
		return next
	}
	return s.console.Before(next)
}

// lender implements [console.Own]: it gives the console's checks access to the system.
type lender struct{ *system }

// URL returns the address of the operations.
func (l lender) URL() string { return l.url }

// apartFor is how long a sandbox for a check lives if nobody removes it.
const apartFor = 15 * time.Minute

// Lend implements [console.Own]. The main world and each sandbox offer their clock and
// users to a check; with apart, the check gets a new sandbox.
func (l lender) Lend(ctx context.Context, address string, apart bool) (t dispatchside.Target, free func(), ok bool, err error) {
	free = func() {}
	prefix, own := strings.CutPrefix(address, l.url)
	if !own || prefix != "" && !strings.HasPrefix(prefix, "/s/") {
		return t, free, false, nil
	}
	t = l.target()
	t.URL, t.Restart = address, nil // others are using that world
	if prefix != "" {
		t.Agreed = nil // its town may be different
	} else if apart {
		c, err := client.New(l.open.url, client.Options{Token: l.open.token, HTTP: outbound.New(outbound.Options{Timeout: advanceWithin})})
		if err != nil {
			return t, free, false, fmt.Errorf("a world for the check: %w", err)
		}
		box, err := client.Do(ctx, c, control.MakeSandbox, control.SandboxOrder{TTL: host.Duration(apartFor)})
		if err != nil {
			return t, free, false, fmt.Errorf("a world for the check: %w", err)
		}
		t.URL, prefix = l.url+"/s/"+box.Name, "/s/"+box.Name
		free = func() { // if this fails, the sandbox expires
			_, _ = client.Do(context.WithoutCancel(ctx), c, control.EndSandbox, nil, box.Name)
		}
		t.SetClock, t.MoveClock = judging.ClockByURL(l.open.url+prefix+control.Prefix+"/clock/advance", l.open.token, advanceWithin)
	}
	if t.Advance != nil {
		t.Advance = judging.AdvanceByURL(l.open.url+prefix+control.PathAdvance, l.open.token, advanceWithin)
	}
	return t, free, true, nil
}
