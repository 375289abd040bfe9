package serving

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/console"
)

// consoleFlags control whether the console is served.
type consoleFlags struct {
	off bool
	dir string

	platformComes bool // the command starts a voice platform beside the system
}

func (f *consoleFlags) add(fs *pflag.FlagSet) {
	fs.BoolVar(&f.off, "no-console", false, "do not serve the console")
	fs.StringVar(&f.dir, "console-dir", "", "read the console's files from this folder, such as cmd/cabrank/console/static, for each request: for development")
}

// open creates the console of a server; nil with --no-console or without control.
func (f *consoleFlags) open(s *system) (*console.Console, error) {
	if f.dir != "" {
		if f.off || s.open.url == "" {
			return nil, cli.UsageError("--console-dir: no console is served")
		}
		if _, err := os.Stat(filepath.Join(f.dir, "index.html")); err != nil {
			return nil, cli.UsageError("--console-dir: %w; want the folder of the page's files, which is cmd/cabrank/console/static in a clone", err)
		}
	}
	if f.off || s.open.url == "" {
		return nil, nil
	}
	return console.New(console.Options{
		Guard: s.control.Guard, Own: lender{s}, World: s.control, PlatformComes: f.platformComes, Now: cli.Now, Version: cli.Version(), Dir: f.dir,
	}), nil
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
