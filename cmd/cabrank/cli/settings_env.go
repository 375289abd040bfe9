package cli

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Names of environment variables: how all of cabrank's begin, and the variable that names the settings file.
const (
	envPrefix = "CABRANK_"
	configEnv = envPrefix + "CONFIG"
)

// envName joins words to the name of an environment variable, such as CABRANK_SERVE_URL_FILE.
func envName(words ...string) string {
	joined := strings.Join(words, " ")
	return envPrefix + strings.ToUpper(strings.NewReplacer(" ", "_", "-", "_").Replace(joined))
}

// Variables returns the environment variables that set a flag, in order of precedence.
func Variables(cmd *cobra.Command, f *pflag.Flag) []string {
	var names []string
	if cmd.HasParent() && cmd.LocalFlags().Lookup(f.Name) != nil {
		names = append(names, envName(commandName(cmd), f.Name))
	}
	if IsShared(f) {
		names = append(names, envName(f.Name))
	}
	return names
}

// setByOthers matches variables that Kubernetes and Docker set for a service, which may
// be called cabrank.
var setByOthers = regexp.MustCompile(`_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?|NAME|ENV_\w+)$`)

// checkEnvironment refuses a variable that sets nothing but has the name of a command or
// nearly that of a setting: a typing mistake would have no effect and no message. It
// ignores other names that begin with CABRANK_, such as a secret that --auth refers to.
func checkEnvironment(root *cobra.Command, environ []string) error {
	if !slices.ContainsFunc(environ, func(v string) bool { return strings.HasPrefix(v, envPrefix) }) {
		return nil // listing every setting of every command would take a tenth of a short command's time
	}
	settings := map[string][]string{configEnv: {configEnv}} // by full name, and by the name without the command
	var commands []string
	Walk(root, func(cmd *cobra.Command) {
		if cmd.HasParent() {
			commands = append(commands, envName(commandName(cmd))+"_")
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			short := envName(f.Name)
			for _, name := range Variables(cmd, f) {
				settings[name] = []string{name}
				if name != short && !IsShared(f) {
					settings[short] = append(settings[short], name)
				}
			}
		})
	})
	for _, variable := range environ {
		name, value, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, envPrefix) || value == "" || slices.Contains(settings[name], name) || setByOthers.MatchString(name) {
			continue
		}
		near := Nearest(name, slices.Sorted(maps.Keys(settings)))
		isOurs := slices.ContainsFunc(commands, func(command string) bool { return strings.HasPrefix(name, command) })
		if isOurs || Changes(name, near[0]) <= 1 {
			var cures []string
			for _, n := range near {
				cures = append(cures, settings[n]...)
			}
			return UsageError("%s in the environment is not a setting; did you mean %s?", name, strings.Join(cures, " or "))
		}
	}
	return nil
}

// Walk visits a command and its subcommands, except those that cobra adds.
func Walk(cmd *cobra.Command, visit func(*cobra.Command)) {
	visit(cmd)
	for _, sub := range cmd.Commands() {
		if sub.Name() != "help" && !strings.HasPrefix(sub.Name(), "__") {
			Walk(sub, visit)
		}
	}
}
