package town

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrNoSuchAddress means that nothing in town is similar to the text.
var ErrNoSuchAddress = errors.New("no such address")

// Match is an address that a text may mean.
type Match struct {
	Address
	Miss int // how far from what was said; 0 means exactly that
}

// nicknames are what people call the first place of a kind.
var nicknames = map[PlaceKind][]string{
	Station:    {"station", "railway station", "train station"},
	Airport:    {"airport"},
	Hospital:   {"hospital", "infirmary"},
	University: {"university", "campus"},
	Stadium:    {"stadium", "football ground"},
	RetailPark: {"retail park", "shopping centre"},
	Hotel:      {"hotel"},
	Rank:       {"taxi rank", "rank"},
	TownHall:   {"town hall", "city hall"},
	Harbour:    {"harbour", "docks", "port"},
}

func newLexicon(t *Town) lexicon {
	var x lexicon
	town := strings.Join(split(t.Name), " ")
	seen := map[PlaceKind]bool{}
	for i, p := range t.Places {
		full := strings.Join(trimFillers(split(p.Name)), " ")
		x.add(full, int32(i), -1)
		if short, ok := strings.CutPrefix(full, town+" "); ok {
			x.add(short, int32(i), -1)
		}
		if !seen[p.Kind] {
			seen[p.Kind] = true
			for _, n := range nicknames[p.Kind] {
				x.add(n, int32(i), -1)
			}
		}
	}
	for i := range t.Streets {
		if t.Streets[i].Name != "" {
			x.add(strings.Join(split(t.Streets[i].Name), " "), -1, int32(i))
		}
	}
	return x
}

func (x *lexicon) add(text string, place, street int32) {
	x.names = append(x.names, name{text, strings.Count(text, " ") + 1, place, street})
}

// Locate finds the addresses that a text may mean, best match first. The text may be
// written in full with a postcode, or spoken ("the station", "fourteen mill lane"), with
// small mistakes. A house number beyond the end of the street gives its last door. If
// nothing in town is similar, the error is [ErrNoSuchAddress].
func (t *Town) Locate(text string) ([]Match, error) {
	q := t.parseSpoken(text)
	said, lead := strings.Join(q.words, " "), strings.Join(q.lead, " ")
	var found []Match
	if said == "" && q.coded {
		if d, ok := t.doorWithPostcode(q.postcode); ok {
			return []Match{{Address: t.Door(d)}}, nil
		}
	}
	for _, n := range t.speech.names {
		miss, ok := n.miss(said)
		if !ok && lead != said {
			miss, ok = n.miss(lead)
		}
		if ok {
			found = append(found, t.match(n, q, miss))
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("locate %q: %w", clip(text), ErrNoSuchAddress)
	}
	slices.SortStableFunc(found, func(a, b Match) int { return cmp.Compare(a.Miss, b.Miss) })
	const most = 5
	return dropRepeats(found[:min(len(found), 3*most)], most), nil
}

// Lookup returns the best match of [Town.Locate].
func (t *Town) Lookup(text string) (Address, error) {
	found, err := t.Locate(text)
	if err != nil {
		return Address{}, err
	}
	return found[0].Address, nil
}

// dropRepeats keeps one match for each address, since a place has several names.
func dropRepeats(found []Match, most int) []Match {
	var once []Match
	for _, m := range found {
		same := func(o Match) bool { return o.Address == m.Address }
		if len(once) < most && !slices.ContainsFunc(once, same) {
			once = append(once, m)
		}
	}
	return once
}

// match returns the address of a name, with the house number that was said.
func (t *Town) match(n name, q query, miss int) Match {
	if n.place >= 0 {
		if q.number > 0 {
			miss++ // places have no house numbers
		}
		return Match{t.Places[n.place].Address, miss}
	}
	s := &t.Streets[n.of]
	if q.coded && !slices.Contains(s.runs, q.postcode) {
		miss++
	}
	switch {
	case q.number == 0 || !s.numbered():
		return Match{t.streetAddress(n.of), miss}
	case len(s.houses) > 0:
		h := s.houseAt(q.number)
		if h.number != q.number {
			miss++
		}
		return Match{t.houseAddress(n.of, h), miss}
	case q.number > s.Numbers():
		last := s.Numbers() - q.number&1
		return Match{t.Door(Door{n.of, last}), miss + 1}
	default:
		return Match{t.Door(Door{n.of, q.number}), miss}
	}
}

// miss returns how much a spoken name differs from this one, in units of half a letter, and
// whether it is similar enough for a match.
func (n *name) miss(said string) (int, bool) {
	if said == n.text {
		return 0, true
	}
	most := len(n.text)/4 + 1
	best := 2 * edits(said, n.text, most)
	if n.place >= 0 && len(said) > 3 && strings.HasPrefix(n.text, said+" ") {
		best = min(best, 3)
	}
	if stem, ok := withoutLast(n.text); ok && n.place < 0 {
		// The type of a street is easily left out or mistaken.
		if e := edits(said, stem, len(stem)/5); e <= len(stem)/5 {
			best = min(best, 3+2*e)
		}
		if other, ok := withoutLast(said); ok {
			if e := edits(other, stem, len(stem)/5); e <= len(stem)/5 {
				best = min(best, 4+2*e)
			}
		}
	}
	return best, best <= 2*most
}

// withoutLast returns a text without its last word; false if it has only one.
func withoutLast(s string) (string, bool) {
	i := strings.LastIndexByte(s, ' ')
	if i < 0 {
		return s, false
	}
	return s[:i], true
}

// edits returns the number of letters to insert, drop, change or swap to make b
// of a, or more than most as soon as that is certain.
func edits(a, b string, most int) int {
	if max(len(a)-len(b), len(b)-len(a)) > most || len(a) > 80 || len(b) > 80 {
		return most + 1
	}
	var rows [3][82]int
	before, prev, row := rows[0][:], rows[1][:], rows[2][:]
	for j := range len(b) + 1 {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(prev[j-1]+change, prev[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > most {
			return most + 1
		}
		before, prev, row = prev, row, before
	}
	return prev[len(b)]
}

// clip shortens a user's text for an error message.
func clip(s string) string {
	const most = 60
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
