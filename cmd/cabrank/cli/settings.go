package cli

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// sharedSettings are settings that several commands use: one value at the top of the
// settings file, or CABRANK_URL in the environment. Every other setting belongs to one
// command.
var sharedSettings = []string{"color", "url", "auth", "ca", "cert", "key", "token"}

// sharedNote is the annotation of a flag that can take its value from a shared setting.
const sharedNote = "shared"

// Share marks flags that can take their values from the shared settings of the same names. It panics for other names.
func Share(fs *pflag.FlagSet, names ...string) {
	for _, name := range names {
		if !slices.Contains(sharedSettings, name) || fs.SetAnnotation(name, sharedNote, nil) != nil {
			panic("cabrank: --" + name + " cannot be shared") // a mistake in the program
		}
	}
}

// IsShared reports whether a flag can take its value from a shared setting.
func IsShared(f *pflag.Flag) bool {
	_, shared := f.Annotations[sharedNote]
	return shared
}

// sources maps a flag to the place that its value came from, if that is not the command
// line.
type sources map[string]string

// name returns an error text with the places that the values of the flags in it came from.
func (s sources) name(text string) string {
	for _, flag := range slices.Sorted(maps.Keys(s)) {
		if strings.Contains(text, "--"+flag+" ") || strings.Contains(text, "--"+flag+":") {
			text += fmt.Sprintf(" (--%s is from %s)", flag, s[flag])
		}
	}
	return text
}

// bindSettings sets each flag that the command line does not set from the environment, or
// else from the settings file, and notes the source. It fails on an unknown setting and
// on a value that a flag does not accept.
func bindSettings(cmd *cobra.Command, out Outside, from sources) error {
	if err := checkEnvironment(cmd.Root(), out.Environ); err != nil {
		return err
	}
	path, err := cmd.Flags().GetString("config")
	if err != nil {
		return err
	}
	if path == "" {
		path = out.Getenv(configEnv)
	}
	file, err := readSettings(cmd.Root(), path)
	if err != nil {
		return Exit(ExitUsage, err)
	}
	var wrong error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Changed || wrong != nil || isFixed(f) {
			return
		}
		values, source := settingOf(cmd, f, out, file)
		for _, value := range values {
			from[f.Name] = source
			if wrong == nil && cmd.Flags().Set(f.Name, value) != nil {
				wrong = UsageError("%s from %s is %q, want %s", f.Name, source, value, wants(f))
			}
		}
	})
	return wrong
}

// settingOf returns the value of a flag and its source; nil: there is no setting. The environment takes precedence over
// the file, and a command's own setting over a shared one. An empty variable counts as unset, except for credentials:
// if a credential was left empty by mistake, the server would be open to everybody.
func settingOf(cmd *cobra.Command, f *pflag.Flag, out Outside, file settings) (values []string, source string) {
	for _, name := range Variables(cmd, f) {
		if value, there := out.lookup(name); value != "" || there && isCredentials(f) {
			return []string{value}, name
		}
	}
	if values := file.values[settingName(cmd, f.Name)]; values != nil {
		return values, file.path
	}
	if IsShared(f) {
		return file.values[f.Name], file.path
	}
	return nil, ""
}

func isCredentials(f *pflag.Flag) bool { return f.Name == "auth" || f.Name == "control-token" }

// isFixed reports whether only the command line can set a flag: --config names the
// settings file itself, and --help replaces the command's work.
func isFixed(f *pflag.Flag) bool { return f.Name == "config" || f.Name == "help" }

// settingName returns the path of a setting in the settings file, such as "check self.seed".
func settingName(cmd *cobra.Command, flag string) string {
	return commandName(cmd) + "." + flag
}

// commandName returns the name of a command without that of the program, such as "check self".
func commandName(cmd *cobra.Command) string {
	_, name, _ := strings.Cut(cmd.CommandPath(), " ")
	return name
}

// wrongValue returns the error text for a value that a flag does not accept, with what it accepts.
func wrongValue(f *pflag.Flag, value string) string {
	text := fmt.Sprintf("--%s is %q, want %s", f.Name, value, wants(f))
	if _, err := strconv.ParseFloat(value, 64); err == nil && f.Value.Type() == "duration" {
		return fmt.Sprintf("--%s is %q: add a unit, such as %ss", f.Name, value, value)
	}
	return text + ": " + strings.ReplaceAll(f.Usage, "\n", " ")
}

// wants returns what a flag accepts, in words.
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
