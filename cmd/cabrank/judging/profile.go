package judging

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// applyProfile gives every flag that was not set otherwise its value from a
// profile, and returns the arguments with the profile's url when there were none.
func applyProfile(path string, flags *pflag.FlagSet, args []string) ([]string, error) {
	settings, err := readProfile(path)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		value := settings[name]
		if name == "url" {
			if len(args) == 0 {
				args = value.words
			}
			continue
		}
		if err := setFromProfile(flags, path, name, value); err != nil {
			return nil, err
		}
	}
	return args, nil
}

// readProfile reads the settings of a profile, of which there are a few dozen.
func readProfile(path string) (map[string]setting, error) {
	const most = 64 << 10 // bytes
	file, err := os.Open(path)
	if err != nil {
		return nil, cli.UsageError("--profile: %w; 'cabrank check init' writes one", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	switch {
	case err != nil:
		return nil, cli.UsageError("--profile: %w", err)
	case len(text) > most:
		return nil, cli.UsageError("--profile %s: it is longer than %d bytes", path, most)
	}
	var settings map[string]setting
	if err := yaml.Unmarshal(text, &settings); err != nil {
		return nil, cli.UsageError("--profile %s: %w", path, err)
	}
	return settings, nil
}

// setting is the value of a key in a profile: words, as they are written. To YAML
// the number 020774600010 would be octal.
type setting struct {
	words []string // none: the key has no value
	list  bool
}

// UnmarshalYAML implements [yaml.NodeUnmarshaler].
func (s *setting) UnmarshalYAML(node ast.Node) error {
	nodes := []ast.Node{node}
	if list, ok := node.(*ast.SequenceNode); ok {
		nodes, s.list = list.Values, true
	}
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.AnchorNode, *ast.AliasNode:
			return fmt.Errorf("want a string or a list of strings, without aliases, got %s", n)
		case *ast.NullNode:
		case *ast.LiteralNode:
			s.words = append(s.words, n.Value.Value)
		case ast.ScalarNode:
			s.words = append(s.words, n.GetToken().Value)
		default:
			return fmt.Errorf("want a string or a list of strings, got %s", n)
		}
	}
	return nil
}

// notInProfile are the flags of check that a profile cannot hold.
var notInProfile = []string{"profile", "config", "color", "help"}

// setFromProfile gives a flag its value from a profile, unless it has one.
func setFromProfile(flags *pflag.FlagSet, path, name string, value setting) error {
	flag := flags.Lookup(name)
	if flag == nil || slices.Contains(notInProfile, name) {
		return cli.UsageError("%s in %s is not a setting of check; 'cabrank check init' writes a profile with all of them", name, path)
	}
	if flag.Changed {
		return nil
	}
	words := value.words
	if list, ok := flag.Value.(pflag.SliceValue); ok {
		flag.Changed = true
		if err := list.Replace(words); err != nil {
			return cli.UsageError("%s in %s is %q: %w", name, path, words, err)
		}
		return nil
	}
	switch {
	case value.list:
		return cli.UsageError("%s in %s: want one value, not a list", name, path)
	case len(words) == 0:
		return nil // as if the key were not there
	}
	if err := flags.Set(name, words[0]); err != nil {
		return cli.UsageError("%s in %s is %q: %w", name, path, strings.Join(words, " "), err)
	}
	return nil
}
