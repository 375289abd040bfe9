package serving

import (
	"flag"
	"os"
	"testing"
)

// TestMain gives the tests a home of their own, so that what a demo keeps there is not the user's.
func TestMain(m *testing.M) {
	home, err := os.MkdirTemp("", "cabrank-home-")
	if err != nil {
		panic(err)
	}
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME"} {
		if err := os.Setenv(name, home); err != nil {
			panic(err)
		}
	}
	flag.Parse()
	if err := flag.Set("test.parallel", "4"); err != nil { // they wait for what happens in a world
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(home)
	os.Exit(code)
}
