package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/spf13/pflag"
)

// profileFile is where check --init writes unless told otherwise.
const profileFile = "check.yaml"

// profileForm is a profile with every setting explained and none of them made.
const profileForm = `# How to judge our dispatch system: cabrank check --profile FILE
# Every key is a flag of 'cabrank check', which wins over this file. Keep secrets out of it:
# write env:NAME or @FILE in their place, and the file can be shared.

url: http://127.0.0.1:8080       # the five operations are paths below it
# allow-host: true               # needed for a host other than this machine

# Who calls. Several entries are put on each request together.
# auth: ["bearer:env:TAXI_TOKEN"]
#   basic:USER:env:PASSWORD · header:X-Api-Key:@key.txt · query:key:env:KEY · oauth2:ID:env:SECRET
# token-url: https://login.example/oauth2/token   # for oauth2
# scope: taxi
# cert: client.pem               # for mTLS
# key: client.key
# ca: ca.pem                     # who signed your server's certificate, if nobody else trusts them

# Numbers of users that your system knows and that may book.
# phone: ["442079460001", "442079460002"]

# Where you are: addresses are made up around the centre, or taken from a file.
# centre: 53.7997,-1.5491        # latitude, longitude
# places: places.json            # [{"address":"…","location":{"longitude":-1.5,"latitude":53.8}}, …]
# zone: Europe/London

# What you claim to offer: core, eta, price, vehicle, driver, map, coming-now.
# A tier that is claimed and not shown fails the run.
# claim: [core, eta]

# Help that unlocks more checks ('cabrank check --help' lists which).
# advance-url: http://127.0.0.1:8080/test/advance       # POST {"journeyId","status"}
# advance-cmd: ["./advance", "{journeyId}", "{status}"]
# restart-cmd: ["systemctl", "restart", "taxi"]
# fixtures: users.json           # {"disabled":"442079460101","blacklisted":"442079460102","agreed":{"pickup":…,"dropoff":…}}

# What counts.
# requirements: "1"              # or latest
# baseline: known.json           # {"known":[{"id":"BOK-16","owner":"ann","until":"2026-12-31"}]}

# What is written.
# out: run.json
# html: report.html
# junit: junit.xml
`

// profileURL is the address in the form, for want of another.
const profileURL = "http://127.0.0.1:8080"

// writeProfile writes the commented profile, for an address if one is given, and
// never over another file.
func writeProfile(path string, address []string, out outside) error {
	if path == "" {
		path = profileFile
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return usageError("--init: %s is there already; name another file with --profile", path)
	}
	if err != nil {
		return usageError("--init: %w", err)
	}
	form := profileForm
	if len(address) == 1 {
		form = strings.Replace(form, profileURL, address[0], 1)
	}
	_, err = file.WriteString(form)
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("--init: %w", err)
	}
	fmt.Fprintf(out.stdout, "wrote %s; edit it, then: cabrank check --profile %s\n", path, path)
	return nil
}

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
			if len(args) == 0 && !flags.Changed("self") {
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
		return nil, usageError("--profile: %w; 'cabrank check --init' writes one", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	switch {
	case err != nil:
		return nil, usageError("--profile: %w", err)
	case len(text) > most:
		return nil, usageError("--profile %s: it is longer than %d bytes", path, most)
	}
	var settings map[string]setting
	if err := yaml.Unmarshal(text, &settings); err != nil {
		return nil, usageError("--profile %s: %w", path, err)
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
			return fmt.Errorf("want a text or a list of texts, written out, got %s", n)
		case *ast.NullNode:
		case *ast.LiteralNode:
			s.words = append(s.words, n.Value.Value)
		case ast.ScalarNode:
			s.words = append(s.words, n.GetToken().Value)
		default:
			return fmt.Errorf("want a text or a list of texts, got %s", n)
		}
	}
	return nil
}

func setFromProfile(flags *pflag.FlagSet, path, name string, value setting) error {
	flag := flags.Lookup(name)
	if flag == nil || slices.Contains([]string{"profile", "init", "config"}, name) {
		return usageError("%s in %s is no setting of check; 'cabrank check --init' writes a profile with all of them", name, path)
	}
	if flag.Changed {
		return nil
	}
	words := value.words
	if list, ok := flag.Value.(pflag.SliceValue); ok {
		flag.Changed = true
		if err := list.Replace(words); err != nil {
			return usageError("%s in %s is %q: %w", name, path, words, err)
		}
		return nil
	}
	switch {
	case value.list:
		return usageError("%s in %s: want one value, not a list", name, path)
	case len(words) == 0:
		return nil // as if the key were not there
	}
	if err := flags.Set(name, words[0]); err != nil {
		return usageError("%s in %s is %q: %w", name, path, strings.Join(words, " "), err)
	}
	return nil
}
