package cli

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// version is set by the linker in releases.
var version = ""

// Version names this build: the release, else the module version that "go install"
// or "go build" in a clone recorded, else the commit, else "dev".
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

// commitOf names a build by the commit that it was made of, if that was recorded.
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

func newVersion(out Outside) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Say which cabrank this is",
		Example: "  cabrank version\n  cabrank version --json",
		Args:    ExactArgs(),
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return json.NewEncoder(out.Stdout).Encode(map[string]string{
					"version": Version(), "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH,
				})
			}
			_, err := fmt.Fprintf(out.Stdout, "cabrank %s (%s, %s/%s)\n", Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}
