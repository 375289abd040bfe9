package judging

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

func newOpenAPI(out cli.Outside) *cobra.Command {
	return &cobra.Command{
		Use:   "openapi",
		Short: "Print the contract of the five operations as OpenAPI 3.1",
		Long: `Print the contract of the five operations as an OpenAPI 3.1 document in YAML, for code generators and
validators. 'cabrank explain' lists the requirements that OpenAPI cannot express.`,
		Example: `  cabrank openapi > openapi.yaml`,
		Args:    cli.ExactArgs(),
		RunE: func(*cobra.Command, []string) error {
			if _, err := out.Stdout.Write(taxi.OpenAPI()); err != nil {
				return fmt.Errorf("print the contract: %w", err)
			}
			return nil
		},
	}
}
