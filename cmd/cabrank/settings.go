package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// settingsFile is read when it is there and --config names no other.
const settingsFile = "cabrank.json"

// sourceNote is the annotation of a flag whose value is not from the command line.
const sourceNote = "source"

// sources says where flags have their values from, other than the command line.
type sources map[string]string

// name adds to an error's text where the values came from that it speaks of.
func (s sources) name(text string) string {
	for _, flag := range slices.Sorted(maps.Keys(s)) {
		if strings.Contains(text, "--"+flag+" ") || strings.Contains(text, "--"+flag+":") {
			text += fmt.Sprintf(" (--%s is from %s)", flag, s[flag])
		}
	}
	return text
}

// settle gives every flag that the command line left alone its value from the
// environment or else from the settings file, and notes the source. A value that
// a flag does not take stops the program.
func settle(cmd *cobra.Command, getenv func(string) string, from sources) error {
	path, err := cmd.Flags().GetString("config")
	if err != nil {
		return err
	}
	if path == "" {
		path = getenv("CABRANK_CONFIG")
	}
	file, path, err := readSettings(path)
	if err != nil {
		return &exitError{exitUsage, err}
	}
	if err := knownSettings(cmd.Root(), file, path); err != nil {
		return err
	}
	var wrong error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Changed || wrong != nil || f.Name == "json" || f.Name == "help" { // each command has its own
			return
		}
		values, source := file[f.Name], path
		if value := getenv(envName(f.Name)); value != "" {
			values, source = []string{value}, envName(f.Name)
		}
		for _, value := range values {
			from[f.Name] = source
			wrong = cmp.Or(wrong, set(cmd, f, value, source))
			f.Annotations = map[string][]string{sourceNote: {source}}
		}
	})
	return wrong
}

func set(cmd *cobra.Command, f *pflag.Flag, value, source string) error {
	if err := cmd.Flags().Set(f.Name, value); err != nil {
		return usageError("%s from %s is %q, want %s", f.Name, source, value, wants(f))
	}
	return nil
}

// wants names what a flag takes, in words.
func wants(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int", "uint64", "int64":
		return "a whole number"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	case "duration":
		return "a duration such as 90s"
	default:
		return "a " + f.Value.Type()
	}
}

// envName is the environment's name for a flag: CABRANK_URL_FILE for url-file.
func envName(flag string) string {
	return "CABRANK_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// readSettings reads a settings file into flag values. Without a path the
// default file is read if it exists.
func readSettings(path string) (map[string][]string, string, error) {
	asked := path != ""
	if !asked {
		path = settingsFile
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && !asked {
		return nil, path, nil
	}
	if err != nil {
		return nil, path, fmt.Errorf("settings: %w", err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, path, fmt.Errorf("settings in %s: want a JSON object such as {\"speed\": 60}: %s", path, at(text, err))
	}
	values := make(map[string][]string, len(raw))
	for name, value := range raw {
		var list []json.RawMessage // for a flag that may be given again
		if json.Unmarshal(value, &list) != nil {
			list = []json.RawMessage{value}
		}
		for _, item := range list {
			values[name] = append(values[name], word(item))
		}
	}
	return values, path, nil
}

// word is a setting as it would be typed: a string without its quotes, anything
// else as it is written.
func word(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return string(value)
	}
	return text
}

// at says where in a text JSON went wrong.
func at(text []byte, err error) string {
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	if !ok {
		return "it is something else"
	}
	before := text[:min(int(syntax.Offset), len(text))]
	line := bytes.Count(before, []byte("\n")) + 1
	return fmt.Sprintf("line %d, column %d: %s", line, len(before)-bytes.LastIndexByte(before, '\n')-1, err)
}

// knownSettings refuses a name that is no flag of any command: it is a typing
// mistake, and would be silently without effect.
func knownSettings(root *cobra.Command, file map[string][]string, path string) error {
	known := map[string]bool{}
	note := func(f *pflag.Flag) { known[f.Name] = true }
	root.PersistentFlags().VisitAll(note)
	for _, cmd := range root.Commands() {
		cmd.LocalFlags().VisitAll(note)
	}
	for name := range file {
		if !known[name] {
			return usageError("%s in %s is no setting; 'cabrank COMMAND --help' lists them", name, path)
		}
	}
	return nil
}
