package serving

import (
	"net/http"
	"net/url"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/console"
)

// consoleFlags control whether the console is served.
type consoleFlags struct {
	off bool

	platformComes bool // the command starts a voice platform beside the system
}

func (f *consoleFlags) add(fs *pflag.FlagSet) {
	fs.BoolVar(&f.off, "no-console", false, "do not serve the console")
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

// consoleURL is the console's address for a browser; "" if there is none.
func (s *system) consoleURL() string {
	if s.console == nil {
		return ""
	}
	return s.open.url + console.Prefix
}

// publicConsoleURL is the console's address for other machines: below --public-url, unless
// that has a path, which the page does not know.
func (f *systemFlags) publicConsoleURL(s *system) string {
	at, err := url.Parse(f.controlURL(s))
	if s.console == nil || err != nil || at.Host == "" || at.Path != "" {
		return s.consoleURL()
	}
	return f.publicURL + console.Prefix
}

// withConsole serves the console in front of control, at the same address.
func (s *system) withConsole(next http.Handler) http.Handler {
	if s.console == nil {
		return next
	}
	return s.console.Before(next)
}
