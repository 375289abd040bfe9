package spoken

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

//go:embed prompts/*.tmpl
var embedded embed.FS

// DefaultLanguage is used if a customer's language is unknown.
const DefaultLanguage = "en-GB"

const (
	suffix      = ".tmpl"
	largestFile = 256 << 10
)

// Prompts are the prompt files, by language. They are read-only and safe for concurrent
// use.
type Prompts struct {
	languages map[string]*language // by tag, in lower case
}

// language is one prompt file.
type language struct {
	tag     string // in its original spelling
	prompts map[PromptID][]sentence
}

// Builtin returns the built-in prompts: en-GB and de-DE.
func Builtin() *Prompts { return builtin() }

var builtin = sync.OnceValue(func() *Prompts {
	dir, err := fs.Sub(embedded, "prompts")
	if err != nil {
		panic(err) // only if the name is not a valid path
	}
	p, err := Load(dir)
	if err != nil {
		panic(err) // a test loads them all
	}
	return p
})

// Load reads the prompt files of a folder, one for each language (de-DE.tmpl). A missing,
// unknown or invalid prompt is an error that names file and line. If [DefaultLanguage] is
// missing, the first language in alphabetical order replaces it.
func Load(dir fs.FS) (*Prompts, error) {
	files, err := fs.Glob(dir, "*"+suffix)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("no prompt files: want one a language, such as en-GB" + suffix)
	}
	p := &Prompts{map[string]*language{}}
	for _, file := range files {
		l, err := loadLanguage(dir, file)
		if err != nil {
			return nil, err
		}
		p.languages[strings.ToLower(l.tag)] = l
	}
	return p, nil
}

// With returns the prompts, with the languages of others replaced.
func (p *Prompts) With(others *Prompts) *Prompts {
	all := maps.Clone(p.languages)
	maps.Copy(all, others.languages)
	return &Prompts{all}
}

// Speaker returns a speaker of a language (BCP 47). Without prompts for that language, it
// uses the same language of another country, or else [DefaultLanguage].
func (p *Prompts) Speaker(tag string, opts SpeakerOptions) *Speaker {
	l := p.find(tag)
	return &Speaker{
		language: l,
		forms:    formsOf(l.tag),
		zone:     cmp.Or(opts.Zone, time.UTC),
		clock:    opts.Now,
		guard:    opts.Guard,
	}
}

func (p *Prompts) find(tag string) *language {
	tag = strings.ToLower(strings.ReplaceAll(tag, "_", "-"))
	if l, ok := p.languages[tag]; ok {
		return l
	}
	names := slices.Sorted(maps.Keys(p.languages))
	for _, name := range names {
		if tag != "" && base(name) == base(tag) {
			return p.languages[name]
		}
	}
	if l, ok := p.languages[strings.ToLower(DefaultLanguage)]; ok {
		return l
	}
	return p.languages[names[0]]
}

// base returns the language of a tag without country and script.
func base(tag string) string {
	name, _, _ := strings.Cut(tag, "-")
	return name
}

var tagPattern = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)

func loadLanguage(dir fs.FS, file string) (*language, error) {
	tag := strings.TrimSuffix(path.Base(file), suffix)
	if !tagPattern.MatchString(tag) {
		return nil, fmt.Errorf("%s: want a name like en-GB%s: a language and a country", file, suffix)
	}
	text, err := fs.ReadFile(dir, file)
	if err != nil {
		return nil, err
	}
	if len(text) > largestFile {
		return nil, fmt.Errorf("%s: is larger than %d bytes", file, largestFile)
	}
	prompts, err := parseFile(file, string(text), nil)
	if err != nil {
		return nil, err
	}
	return &language{tag, prompts}, nil
}
