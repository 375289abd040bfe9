package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tailscale/hujson"
)

// SettingsFile is read if it exists and --config names no other file. It is JSON;
// comments and trailing commas are allowed.
const SettingsFile = "cabrank.json"

// settings holds the values of a settings file in the form of command-line arguments. The
// key is [settingName], or the flag's name for shared settings.
type settings struct {
	path   string
	values map[string][]string
}

// readSettings reads a settings file. Without a path, the default file is read if it
// exists.
func readSettings(root *cobra.Command, path string) (settings, error) {
	asked := path != ""
	if !asked {
		path = SettingsFile
	}
	s := settings{path: path, values: map[string][]string{}}
	text, err := ReadText(path)
	if errors.Is(err, fs.ErrNotExist) && !asked {
		return s, nil
	}
	if err != nil {
		return s, fmt.Errorf("settings: %w", err)
	}
	standard, wrong := hujson.Standardize(text) // of the same length: a later error has the right line number
	if wrong == nil && !isObject(standard) {
		wrong = errors.New("it is something else")
	}
	if wrong != nil {
		return s, fmt.Errorf("settings in %s: want a JSON object such as {\"serve\": {\"speed\": 60}}: %s", path, strings.TrimPrefix(wrong.Error(), "hujson: "))
	}
	return s, s.readCommand(root, standard)
}

// readCommand reads the settings of a command and of its subcommands.
func (s *settings) readCommand(cmd *cobra.Command, text json.RawMessage) error {
	members, err := membersOf(text)
	if err != nil {
		return fmt.Errorf("settings in %s: %w", s.path, err)
	}
	for _, m := range members {
		if sub := commandNamed(cmd, m.name); sub != nil {
			if !isObject(m.value) {
				return fmt.Errorf("%s in %s is the command's, want its settings: {%q: {…}}", m.name, s.path, m.name)
			}
			if err := s.readCommand(sub, m.value); err != nil {
				return err
			}
			continue
		}
		flag := flagNamed(cmd, m.name)
		if flag == nil {
			return s.unknown(cmd, m.name)
		}
		name := m.name
		if cmd.HasParent() {
			name = settingName(cmd, m.name)
		}
		if s.values[name], err = typed(flag, m.value); err != nil {
			return fmt.Errorf("%s in %s %w", m.name, s.path, err)
		}
	}
	return nil
}

// commandNamed returns the subcommand with a name, or nil.
func commandNamed(cmd *cobra.Command, name string) *cobra.Command {
	for _, sub := range cmd.Commands() {
		if sub.Name() == name {
			return sub
		}
	}
	return nil
}

// flagNamed returns the flag that a setting of a command sets, or nil if a settings file cannot set it. For the root
// command, it returns a flag of any command that shares the setting.
func flagNamed(cmd *cobra.Command, name string) (found *pflag.Flag) {
	if cmd.HasParent() {
		if found = cmd.LocalFlags().Lookup(name); found != nil && isFixed(found) {
			return nil
		}
		return found
	}
	if !slices.Contains(sharedSettings, name) {
		return nil
	}
	Walk(cmd, func(sub *cobra.Command) {
		f := sub.LocalFlags().Lookup(name)
		_, isList := valueOf(f).(pflag.SliceValue)
		if f != nil && IsShared(f) && (found == nil || isList) { // a flag that accepts a list accepts a single value, too
			found = f
		}
	})
	return found
}

// Settable returns the flags of a command that a settings file may set, in alphabetical order.
func Settable(cmd *cobra.Command) (flags []*pflag.Flag) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if flagNamed(cmd, f.Name) != nil {
			flags = append(flags, f)
		}
	})
	return flags
}

func valueOf(f *pflag.Flag) pflag.Value {
	if f == nil {
		return nil
	}
	return f.Value
}

// unknown returns the error for a name that is no setting, with a suggestion.
func (s *settings) unknown(cmd *cobra.Command, name string) error {
	var words, owners []string
	for _, sub := range cmd.Commands() {
		words = append(words, sub.Name())
	}
	for _, f := range Settable(cmd) {
		words = append(words, f.Name)
	}
	if cmd.HasParent() {
		return fmt.Errorf("%s in %s is not a setting of %s; near it: %s", name, s.path, commandName(cmd), strings.Join(Nearest(name, words), ", "))
	}
	Walk(cmd, func(sub *cobra.Command) {
		if sub.HasParent() && flagNamed(sub, name) != nil {
			owners = append(owners, commandName(sub))
		}
	})
	if len(owners) > 0 {
		return fmt.Errorf("%s in %s belongs to a command: write it as {%s} (it is a setting of %s)", name, s.path, nested(owners[0], name), strings.Join(owners, ", "))
	}
	return fmt.Errorf("%s in %s is neither a command nor a setting; near it: %s", name, s.path, strings.Join(Nearest(name, append(words, sharedSettings...)), ", "))
}

// nested returns the form of a setting in the file, such as "check": {"self": {"seed": …}}.
func nested(command, flag string) string {
	text := fmt.Sprintf("%q: …", flag)
	for _, word := range slices.Backward(strings.Fields(command)) {
		text = fmt.Sprintf("%q: {%s}", word, text)
	}
	return text
}

// typed returns the value of a setting as command-line arguments, several for a flag that may be repeated.
func typed(f *pflag.Flag, value json.RawMessage) ([]string, error) {
	list := []json.RawMessage{value}
	if _, again := f.Value.(pflag.SliceValue); again && bytes.HasPrefix(value, []byte("[")) {
		list = nil
		if err := json.Unmarshal(value, &list); err != nil {
			return nil, err
		}
	}
	isText := !slices.Contains([]string{"bool", "int", "int64", "uint64", "float64"}, f.Value.Type())
	words := []string{}
	for _, item := range list {
		var text string
		switch {
		case string(item) == "null":
			return nil, errors.New("is null; leave it out, or give it a value")
		case json.Unmarshal(item, &text) == nil:
			words = append(words, text)
		case isText && !isObject(item):
			return nil, fmt.Errorf("is %s, want a string such as %q", item, "…")
		default:
			words = append(words, string(item))
		}
	}
	return words, nil
}

// member is a name and its value in a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

// membersOf returns the members of an object in their order. It refuses a duplicate name,
// since one of the two values would be lost.
func membersOf(object []byte) ([]member, error) {
	d := json.NewDecoder(bytes.NewReader(object))
	if _, err := d.Token(); err != nil { // the opening brace
		return nil, err
	}
	var all []member
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		m := member{name: fmt.Sprint(token)}
		if err := d.Decode(&m.value); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(all, func(other member) bool { return other.name == m.name }) {
			return nil, fmt.Errorf("%s is there twice; leave one of them out", m.name)
		}
		all = append(all, m)
	}
	return all, nil
}

func isObject(text []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) }
