package redact

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// Pseudonyms learns the telephone numbers and credentials in calls, and gives each a pseudonym that stays
// the same, so that readers can follow one caller through the calls. A number keeps its leading zeros, its
// punctuation and its last three digits; its other digits become nines and a count (no country has the code
// 999), so that rules read the hidden number as they read the real one.
type Pseudonyms struct {
	words   func() map[string]bool // words of the suite, which texts may contain although a credential is equal
	members Members                // of the suite's bodies
	mu      sync.Mutex
	heard   int               // how many calls of the history have been learned from
	counted map[int]int       // how many numbers have a pseudonym, by the length of their core
	cores   map[string]string // pseudonyms by the core of a number: its last nine digits, or fewer
	numbers map[string]string // pseudonyms by a number as it is written
	secrets map[string]string // pseudonyms by credential
	told    int               // how many credentials have a pseudonym
	made    *Redactor         // the redactor for all of these; nil: something has been learned since it was made
}

// NewPseudonyms returns pseudonyms for the calls of a suite; own are the caller's own credentials.
func NewPseudonyms(suite *conformance.Suite, own []Proof) *Pseudonyms {
	p := &Pseudonyms{words: sync.OnceValue(suite.Vocabulary), members: MembersOf(suite), counted: map[int]int{}, cores: map[string]string{}, numbers: map[string]string{}, secrets: map[string]string{}}
	for _, shown := range own {
		p.AddSecrets(shown.Secrets()...)
		p.AddSecrets(shown.Forged().Secrets()...) // which gives away the right ones
		p.AddSecrets(shown.NearMiss().Secrets()...)
	}
	return p
}

// AddSecrets gives pseudonyms to credentials.
func (p *Pseudonyms) AddSecrets(secrets ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range secrets {
		p.credential(s)
	}
}

// Redactor learns the numbers and credentials in the calls that a history has gained since the last time,
// and returns a redactor for everything learned so far.
func (p *Pseudonyms) Redactor(history []*conformance.Exchange) *Redactor {
	p.mu.Lock()
	defer p.mu.Unlock()
	news := history[min(p.heard, len(history)):]
	for _, x := range news {
		for _, n := range p.members.in(x) {
			p.number(n)
			p.number(jsonvalue.Digits(n))
		}
	}
	for _, x := range news {
		for _, s := range credentialsIn(x) {
			if !p.isNumber(s) {
				p.credential(s)
				continue
			}
			p.number(s)
			p.number(jsonvalue.Digits(s))
		}
	}
	p.heard = max(p.heard, len(history))
	if p.made == nil {
		p.made = newRedactor(maps.Clone(p.numbers), maps.Clone(p.secrets), p.words)
	}
	return p.made
}

// number gives a pseudonym to a telephone number. Numbers that end in the same nine digits, such as a
// national and an international form, get the same one.
func (p *Pseudonyms) number(written string) {
	const tail = 3
	all := jsonvalue.Digits(written)
	core := coreOf(all)
	zeros := len(all) - len(strings.TrimLeft(all, "0"))
	head := len(all) - zeros - len(core)
	keep := len(core) - tail - 1
	if p.numbers[written] != "" || keep < 1 {
		return
	}
	if p.cores[core] == "" {
		p.counted[len(core)]++
		p.cores[core] = fmt.Sprintf("9%0*d%s", keep, p.counted[len(core)], core[len(core)-tail:])
	}
	p.made = nil
	p.numbers[written] = rewritten(written, all[:zeros]+strings.Repeat("9", head)+p.cores[core])
	if len(core) == coreLength {
		p.numbers[core] = p.cores[core]
	}
}

// coreLength is the number of digits at the end of a telephone number that distinguish it from others.
const coreLength = 9

// coreOf returns the digits that distinguish a number: without leading zeros, and only the last nine.
func coreOf(digits string) string {
	core := strings.TrimLeft(digits, "0")
	return core[max(0, len(core)-coreLength):]
}

// rewritten replaces the digits of a number by those of now, in order, and leaves the other characters.
func rewritten(number, now string) string {
	i := -1
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return r
		}
		i++
		return rune(now[i])
	}, number)
}

// credential gives a pseudonym to a credential, and the same one to its form in a URL.
func (p *Pseudonyms) credential(secret string) {
	if secret == "" || p.secrets[secret] != "" {
		return
	}
	p.made = nil
	p.told++
	p.secrets[secret] = fmt.Sprintf("credential-%d", p.told)
	if escaped := url.QueryEscape(secret); p.secrets[escaped] == "" {
		p.secrets[escaped] = p.secrets[secret]
	}
}

// byLength returns the keys of a map, the longest first.
func byLength[M ~map[string]V, V any](m M) []string {
	words := slices.Sorted(maps.Keys(m))
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	return words
}

// secretName matches the names of headers and parameters that hold credentials.
var secretName = regexp.MustCompile(`(?i)^(proxy-)?authorization$|^x-.*auth|cookie|key|token|secret|password|signature|session`)

// HoldsSecret reports whether a header or a parameter of that name holds credentials.
func HoldsSecret(name string) bool {
	return name != "Idempotency-Key" && secretName.MatchString(name)
}

// isNumber reports whether a text in the place of a credential is, in any form, a telephone number that was
// learned from a body. Other digits are a credential.
func (p *Pseudonyms) isNumber(s string) bool {
	return strings.Trim(s, "+0123456789 ().-") == "" && p.cores[coreOf(jsonvalue.Digits(s))] != ""
}

// credentialsIn returns the texts of a recorded request that may identify its client: the values of its query,
// of which the interface has none, and of some headers.
func credentialsIn(x *conformance.Exchange) []string {
	var all []string
	if u, err := url.Parse(x.Request.URL); err == nil {
		query := u.Query()
		for _, name := range slices.Sorted(maps.Keys(query)) {
			all = append(all, query[name]...)
		}
	}
	return append(all, credentialsOf(x.Request.Header)...)
}

func credentialsOf(h http.Header) []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, v := range h[name] {
			if HoldsSecret(name) {
				all = append(all, Proof{Name: name, Key: v}.Secrets()...)
			}
		}
	}
	return all
}
