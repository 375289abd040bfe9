package cli

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/notices"
)

// These are set by the linker in releases: .ci/release.go and the Dockerfile.
var (
	version = ""
	commit  = "" // in full
	date    = "" // of the commit, in RFC 3339
)

// Version returns the name of this build: the release, or else the module version that "go install" or "go build" in a
// clone recorded, or else "dev" with the commit.
func Version() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	switch {
	case !ok:
		return "dev"
	case info.Main.Version != "" && info.Main.Version != "(devel)":
		return info.Main.Version
	}
	return commitOf(info)
}

// commitOf returns "dev", with the commit of a build if that was recorded, and "+changed" if files had been changed.
func commitOf(info *debug.BuildInfo) string {
	const short = 12 // digits of a commit
	var name strings.Builder
	name.WriteString("dev")
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= short:
			name.WriteString("-" + s.Value[:short])
		case s.Key == "vcs.modified" && s.Value == "true":
			name.WriteString("+changed")
		}
	}
	return name.String()
}

// build describes how a binary was built. Commit and date are set by a release or a build
// in a clone.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Date     string `json:"date,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func thisBuild() build {
	b := build{Version(), commit, date, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok && commit == "" {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.Commit = s.Value
			case "vcs.time":
				b.Date = s.Value
			}
		}
	}
	return b
}

func (b build) String() string {
	return fmt.Sprintf("cabrank %s (%s, %s)", b.Version, b.Go, b.Platform)
}

func printVersion(out Outside) error {
	_, err := fmt.Fprintln(out.Stdout, thisBuild())
	return err
}

func newVersion(out Outside) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version of this cabrank",
		Example: "  cabrank version\n  cabrank version --json",
		Args:    ExactArgs(),
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return PrintJSONLine(out.Stdout, thisBuild())
			}
			return printVersion(out)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object, with the commit and its date")
	return cmd
}

func newLicenses(out Outside) *cobra.Command {
	return &cobra.Command{
		Use:     "licenses",
		Aliases: []string{"licences"},
		Short:   "Print the licences of cabrank and of all software in it",
		Long: `Print the licence of cabrank, and the name, version, licence and notices of each module that is linked into
it on any platform. If you distribute the program, distribute these texts with it.`,
		Example: "  cabrank licenses > LICENSES.txt",
		Args:    ExactArgs(),
		RunE: func(*cobra.Command, []string) error {
			info, ok := debug.ReadBuildInfo()
			if !ok {
				return errors.New("the program contains no build information")
			}
			return printLicences(out.Stdout, info)
		},
	}
}

// printLicences prints all notices, and fails if a module listed in info has none.
func printLicences(w io.Writer, info *debug.BuildInfo) error {
	if _, err := io.WriteString(w, notices.Texts); err != nil {
		return err
	}
	if missing := notices.Missing(info); len(missing) > 0 {
		return Exit(ExitFindings, fmt.Errorf("built with modules that cabrank's go.mod does not name, whose licences are not here: %s", missing))
	}
	return nil
}
