package conformance

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// pseudonyms replaces telephone numbers and credentials in recorded calls, each
// always by the same: who reads the calls can still follow one caller through
// them. A number keeps its length, its zeros in front and its last three digits;
// the others are 9 (no country has 999) and a count, so that rules read the
// recorded calls just as they read the real ones.
type pseudonyms struct {
	counts   map[string]int // by a number's last nine digits
	keys     map[string]int // by a credential
	replacer *strings.Replacer
}

// numberIn finds the telephone numbers in a body, also in one that is no JSON.
var numberIn = regexp.MustCompile(`(?i)"phone_?number"\s*:\s*(?:"([^"]{7,60})"|(\d{7,20}))`)

// newPseudonyms learns the numbers that a history carries, and is told secrets.
func newPseudonyms(history []*Exchange, secrets []string) *pseudonyms {
	p := &pseudonyms{counts: map[string]int{}, keys: map[string]int{}}
	replace := map[string]string{}
	for _, n := range numbersOf(history) {
		if d := digits(n); len(d) >= 7 && len(n) <= 60 {
			replace[n], replace[d] = p.number(n), p.number(d)
		}
	}
	for _, s := range secrets {
		if len(s) >= 4 {
			replace[s] = p.credential(s)
		}
	}
	words := sortedKeys(replace)
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) }) // the longest wins
	var pairs []string
	for _, w := range words {
		pairs = append(pairs, w, replace[w])
	}
	p.replacer = strings.NewReplacer(pairs...)
	return p
}

// numbersOf returns every telephone number of a history as it is written, in the
// order in which they first occur.
func numbersOf(history []*Exchange) []string {
	var all []string
	seen := map[string]bool{}
	for _, x := range history {
		found := map[string]bool{}
		collectNumbers(x.sent.v, found)
		collectNumbers(x.reply.v, found)
		bodies := []Body{x.Request.Body}
		if x.Response != nil {
			bodies = append(bodies, x.Response.Body)
		}
		for _, body := range bodies {
			for _, groups := range numberIn.FindAllSubmatch(body[:min(len(body), mostTold)], -1) {
				found[string(groups[1])+string(groups[2])] = true
			}
		}
		for _, n := range sortedKeys(found) {
			if !seen[n] {
				seen[n] = true
				all = append(all, n)
			}
		}
	}
	return all
}

func sortedKeys[M ~map[string]V, V any](m M) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// number returns the pseudonym of a number, written as the number is written.
func (p *pseudonyms) number(written string) string {
	all := digits(written)
	core := strings.TrimLeft(all, "0")
	zeros := len(all) - len(core)
	head := max(0, len(core)-9)
	core = core[head:]
	if len(core) < 4 {
		return strings.Repeat("9", len(written))
	}
	if p.counts[core] == 0 {
		p.counts[core] = len(p.counts) + 1
	}
	keep := len(core) - 3
	false9 := all[:zeros] + strings.Repeat("9", head) + fmt.Sprintf("%0*d", keep, p.counts[core]) + core[keep:]
	i := -1
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return r
		}
		i++
		return rune(false9[i])
	}, written)
}

func (p *pseudonyms) credential(secret string) string {
	if p.keys[secret] == 0 {
		p.keys[secret] = len(p.keys) + 1
	}
	return fmt.Sprintf("credential-%d", p.keys[secret])
}

// What a run file keeps of a body, in bytes. Some requests are meant to be too
// long; an answer may have many bookings to list.
const (
	mostSent = 32 << 10
	mostTold = 256 << 10
)

// exchange returns a copy of a call that is fit to be shown.
func (p *pseudonyms) exchange(x *Exchange) *Exchange {
	own := *x
	own.Started = x.Started.Round(0) // as it will be read again, without its monotonic half
	own.Request.URL = p.url(x.Request.URL)
	own.Request.Header = p.header(x.Request.Header)
	own.Request.Body, own.Request.Cut = p.body(x.Request.Body, mostSent)
	own.Err = p.replacer.Replace(x.Err)
	if x.Response != nil {
		reply := *x.Response
		reply.Header = p.header(reply.Header)
		reply.Body, reply.Cut = p.body(reply.Body, mostTold)
		own.Response = &reply
	}
	own.sent, own.reply, own.isRead = value{}, value{}, false
	own.read()
	return &own
}

func (p *pseudonyms) body(b Body, most int) (Body, int) {
	cut := max(0, len(b)-most)
	if len(b) == 0 {
		return nil, 0
	}
	return Body(p.replacer.Replace(string(b[:len(b)-cut]))), cut
}

// url replaces the values of a query: the interface has none, so they are
// somebody's key.
func (p *pseudonyms) url(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return p.replacer.Replace(address)
	}
	query := u.Query()
	for _, values := range query {
		for i, v := range values {
			values[i] = p.credential(v)
		}
	}
	u.RawQuery, u.User = query.Encode(), nil
	return p.replacer.Replace(u.String())
}

// secretName matches headers that hold credentials.
var secretName = regexp.MustCompile(`(?i)^authorization$|^proxy-auth|cookie|key|token|secret|password|signature`)

func (p *pseudonyms) header(h http.Header) http.Header {
	own := h.Clone()
	for name, values := range own {
		for i, v := range values {
			if secretName.MatchString(name) && name != "Idempotency-Key" {
				scheme, secret, ok := strings.Cut(v, " ")
				if !ok {
					scheme, secret = "", v
				}
				values[i] = strings.TrimSpace(scheme + " " + p.credential(secret))
				continue
			}
			values[i] = p.replacer.Replace(v)
		}
	}
	return own
}

// secrets returns the texts of a proof that nobody else should read.
func (p proof) secrets() []string {
	scheme, secret, ok := strings.Cut(p.key, " ")
	if !ok {
		return []string{p.key}
	}
	all := []string{secret}
	if plain, err := base64.StdEncoding.DecodeString(secret); err == nil && strings.EqualFold(scheme, "Basic") {
		_, password, _ := strings.Cut(string(plain), ":")
		all = append(all, password)
	}
	return all
}
