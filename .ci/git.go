//go:build ignore

package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
)

// git runs git here, and returns what it prints.
func git(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(said.Bytes()))
	}
	return strings.TrimSpace(string(out)), nil
}
