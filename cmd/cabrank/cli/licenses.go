package cli

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/notices"
)

func newLicenses(out Outside) *cobra.Command {
	return &cobra.Command{
		Use:     "licenses",
		Aliases: []string{"licences"},
		Short:   "Print the licences of cabrank and of all software in it",
		Long: `Print the licence of cabrank, and the name, version, licence and notices of each module that is linked into
this program. If you distribute the program, distribute these texts with it.`,
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

// printLicences prints the notices of all modules listed in info.
func printLicences(w io.Writer, info *debug.BuildInfo) error {
	linked, missing := notices.Linked(notices.All(), info)
	if _, err := io.WriteString(w, notices.Format(linked)); err != nil {
		return err
	}
	if len(missing) > 0 {
		return Exit(ExitFindings, fmt.Errorf("built with modules that cabrank's go.mod does not name, whose licences are not here: %s", missing))
	}
	return nil
}
