package booking

import (
	"maps"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// prompts are an account's prompts: its own, and the built-in ones for the
// languages that it has none for.
func (d *Desk) prompts(s Settings) *spoken.Prompts {
	if len(s.Prompts) == 0 {
		return spoken.Builtin()
	}
	var text strings.Builder
	for _, language := range slices.Sorted(maps.Keys(s.Prompts)) {
		text.WriteString(language + "\x00" + s.Prompts[language] + "\x00")
	}
	key := text.String()
	if p, ok := d.custom.Get(key); ok {
		return p
	}
	own, err := spoken.Read(s.Prompts)
	if err != nil {
		return spoken.Builtin() // settings are checked when they are saved
	}
	p := spoken.Builtin().With(own)
	d.custom.Add(key, p)
	return p
}

// CheckPrompts says what is wrong with prompt files.
func CheckPrompts(files map[string]string) error {
	_, err := spoken.Read(files)
	return err
}
