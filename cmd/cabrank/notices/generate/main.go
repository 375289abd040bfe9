// Command generate collects the licences of the modules that are linked into cabrank,
// on each platform that it is built for, and writes them to a file:
//
//	go generate ./cmd/cabrank/notices
//
// The modules have to be here ("go mod download").
package main

import (
	"fmt"
	"os"

	"github.com/cabrank/cabrank/cmd/cabrank/notices"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "want the file to write")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func write(path string) error {
	all, err := collect("..", released)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(notices.Format(all)), 0o644)
}
