package serving

import (
	"testing"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/cmd/cabrank/controlling"
	"github.com/cabrank/cabrank/cmd/cabrank/judging"
)

// newShell has the commands that call a server beside those that run one.
func newShell(t *testing.T) *clitest.Shell {
	t.Helper()
	return clitest.New(t, func(out cli.Outside) []cli.Group {
		return []cli.Group{
			{Title: "serving", Commands: Commands(out)},
			{Title: "calling", Commands: calling.Commands(out)},
			{Title: "controlling", Commands: controlling.Commands(out)},
			{Title: "judging", Commands: judging.Commands(out)},
		}
	})
}
