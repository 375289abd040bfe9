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
	"strings"
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
	var b strings.Builder
	b.WriteString("Cabrank, the software of others that is part of it, and the licences.\n")
	for _, n := range all {
		b.WriteString("\n" + strings.Repeat("=", 80) + "\n")
		for _, m := range n.modules {
			fmt.Fprintln(&b, m)
		}
		b.WriteString("\n" + strings.TrimRight(n.text, "\n") + "\n")
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}
