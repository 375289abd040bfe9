package fault

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/host"
)

// Magic numbers begin with one of these prefixes, which are reserved for drama, and end
// in three meaningful digits. The second prefix is an alias of the first for 200 and
// above.
const (
	MagicBase  = "442079460"
	MagicAlias = "447700900"

	magicID = "magic-" // prefix of the id that stands for a rule's
)

// Magic is the meaning of the last three digits of a caller's number.
type Magic struct {
	From  int    `json:"from"` // the last three digits
	To    int    `json:"to"`   // the end of a range; equal to From: a single number
	Means string `json:"means"`

	Fault string `json:"fault,omitempty"` // name in the catalogue; left out: the number selects a user
	Do    *Do    `json:"do,omitempty"`    // with its parameters; for a range, those of its first number
	Ops   []Op   `json:"ops,omitempty"`   // that it applies to

	do func(n int) Do
}

// Numbers formats the numbers as a tester dials them: "442079460201–299".
func (m Magic) Numbers() string {
	if m.From == m.To {
		return fmt.Sprintf("%s%03d", MagicBase, m.From)
	}
	return fmt.Sprintf("%s%03d–%03d", MagicBase, m.From, m.To)
}

// MagicNumbers lists the meaning of the last three digits. Those from 900 to 999 are
// defined with [Set.Define].
func MagicNumbers() []Magic { return slices.Clone(magicTable().rows) }

type magicIndex struct {
	rows []Magic
	of   [1000]*Magic
}

var magicTable = sync.OnceValue(func() *magicIndex {
	t := &magicIndex{rows: slices.Concat(callers(), journeys(), statuses(), connectionNumbers(), contentNumbers())}
	for i := range t.rows {
		m := &t.rows[i]
		for n := m.From; n <= m.To; n++ {
			if t.of[n] != nil {
				panic(fmt.Sprintf("fault: %03d means two things", n))
			}
			t.of[n] = m
		}
		if m.do == nil {
			continue
		}
		do := completed(m.do(m.From))
		f := catalogue().byName[do.Kind]
		m.Fault, m.Do = f.Name, &do
		if m.Ops == nil {
			m.Ops = slices.DeleteFunc(slices.Clone(f.Ops), func(op Op) bool { return op == Config }) // which has no caller
		}
	}
	return t
})

// callers lists the numbers that select a person of the fixtures instead of a fault.
func callers() []Magic {
	who := func(from, to int, means string) Magic { return Magic{From: from, To: to, Means: means} }
	return []Magic{
		who(0, 0, "a user with the required fields only"),
		who(1, 1, "a user with every field"),
		who(2, 2, "a user whose bookings are for tomorrow"),
		who(10, 10, "a user with ten active bookings"),
		who(11, 19, "a user with 1 to 9 active bookings: the last digit"),
		who(20, 29, "ordinary users"),
		who(30, 39, "ordinary users who may also book by text"),
		who(101, 101, "a DISABLED user: /book is refused with user-disabled"),
		who(102, 102, "a BLACKLISTED user: /book is refused with user-blacklisted"),
		who(103, 103, "an unknown user: /user returns 404, and the first /book creates the user"),
		who(104, 104, "a user with skipDropOff: the platform does not ask for a drop-off"),
		who(105, 105, "a user without options"),
		who(106, 109, "users with unusual names: quotation marks, right-to-left text, emoji, very long"),
	}
}

// completed returns a fault with the defaults of its parameters.
func completed(d Do) Do {
	d.complete(&faults{})
	return d
}

func fixed(do Do) func(int) Do { return func(int) Do { return do } }

// journeys lists the numbers for faults of cars and drivers.
func journeys() []Magic {
	cancels := func(at taxi.Status) func(int) Do { return fixed(Do{Kind: "driver-cancels", At: at}) }
	rows := []Magic{
		{From: 200, Means: "no car is found: CANCELLED with NO_DRIVER after 20 minutes", do: fixed(Do{Kind: "no-cars"})},
		{From: 201, To: 299, Means: "an ETA of 1 to 99 minutes: the last two digits", do: func(n int) Do { return Do{Kind: "eta-is", Minutes: n - 200} }},
		{From: 301, Means: "the first driver cancels after accepting the job", do: cancels(taxi.Accepted)},
		{From: 302, Means: "the first driver cancels on arrival", do: cancels(taxi.Arrived)},
		{From: 303, Means: "the passenger does not come: CANCELLED with NO_SHOW", do: fixed(Do{Kind: "no-show"})},
		{From: 304, Means: "the first driver cancels on the way, and another one comes", do: cancels(taxi.EnRoute)},
		{From: 305, Means: "the journey skips ARRIVED", do: fixed(Do{Kind: "status-skipped"})},
		{From: 306, Means: "the journey stays WAITING until it is cancelled", do: fixed(Do{Kind: "stays-waiting"})},
		{From: 307, Means: "each edit adds 2.50 to the price", do: fixed(Do{Kind: "price-changes"})},
		{From: 308, Means: "the driver sets off 10 minutes late", do: fixed(Do{Kind: "driver-late"})},
		{From: 309, Means: "the first driver rejects the job", do: cancels(taxi.Waiting)},
	}
	for i := range rows {
		m := &rows[i]
		m.To = max(m.From, m.To)
	}
	return rows
}

// statuses lists the numbers for HTTP statuses and delays.
func statuses() []Magic {
	return []Magic{
		{
			From: 400, To: 599, Means: "/book returns that HTTP status, if it exists; 429 and 503 with Retry-After", Ops: []Op{Book},
			do: withStatus,
		},
		{
			From: 601, To: 699, Means: "every response is 1 to 99 seconds late: the last two digits",
			do: func(n int) Do { return Do{Kind: "delay", For: host.Duration(time.Duration(n-600) * time.Second)} },
		},
	}
}

// withStatus returns the fault of an HTTP status.
func withStatus(status int) Do {
	d := Do{Kind: "status", Status: status}
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		d.RetryAfter = host.Duration(2 * time.Second)
	}
	return d
}

// numbered assigns consecutive numbers to faults and examples of faults, as [Example.String]
// writes them. A number keeps its meaning: append, never reorder.
func numbered(from int, ops []Op, names ...string) []Magic {
	rows := make([]Magic, len(names))
	for i, name := range names {
		x, known := examples()[name]
		if !known {
			panic("fault: a number for " + name)
		}
		m := Magic{From: from + i, To: from + i, Means: x.Does, Ops: ops, do: fixed(x.Do)}
		switch {
		case ops != nil:
			m.Means = "/" + list(ops) + ": " + m.Means
		case x.Op != "":
			m.Ops = []Op{x.Op}
		}
		rows[i] = m
	}
	return rows
}

// examples maps the text of each fault and example in the catalogue to the example.
var examples = sync.OnceValue(func() map[string]Example {
	all := map[string]Example{}
	for _, f := range catalogue().all {
		for _, x := range f.All() {
			all[x.String()] = x
		}
	}
	return all
})

// connectionNumbers lists the numbers for faults of connections and for invalid responses.
func connectionNumbers() []Magic {
	book := []Op{Book}
	return slices.Concat(
		numbered(700, book, "close reset=true", "close", "close part=response reset=true", "close part=headers reset=true",
			"close part=body reset=true", "hang", "dribble part=headers", "dribble", "dribble rate=100", "close part=body",
			"wrong-length", "garbage", "garbage form=chunk", "close part=end"),
		numbered(720, book, "html-page", "empty", "empty status=204", "content-type", "bad-json form=bom", "bad-json form=invalid-utf8",
			"bad-json form=duplicate-keys", "bad-json", "large-body levels=10000", "large-body", "numbers-as-strings",
			"status value=/moved status=302", `status 'value=Bearer realm="cabrank"' status=401`),
	)
}

// contentNumbers lists the numbers for responses with wrong content.
func contentNumbers() []Magic {
	lost := numbered(800, []Op{Book}, "commit-then-drop", "commit-then-drop status=500", "commit-then-drop for=1m0s")
	for i := range lost {
		do := lost[i].do(0)
		do.Once = true
		lost[i].Means, lost[i].do = lost[i].Means+"; a repeated request gets a normal response", fixed(do)
	}
	return slices.Concat(lost,
		numbered(803, nil, "commit-twice", "cancel-ignored"),
		numbered(810, []Op{Book}, "member", "member form=null", "member form=empty", "member form=another-type"),
		numbered(814, nil, "member member=/status value=PENDING part=journey", "journey-id", "journey-id form=another",
			"member member=/dropoffs 'value=[]'", "member member=/pickup/address 'value=14 Mill Lane, ring 020 7946 0123'",
			"member member=/status value=CANCELED part=journey --op cancel", "member member=/eta/value value=-3", "eta-growing",
			"member member=/eta/unit value=jiffies", "member member=/price/currency", "date", "date form=past",
			"coordinates-swapped", `member member=/location 'value={"longitude":0,"latitude":0}'`, "location",
			"location form=jumping", "location form=far", "status-backwards", "status-skipped at=POB", "new-driver-en-route",
			"bookings-added", "bookings-added form=invented count=1000", "wrong-user", "odd-name"))
}

// Define sets the fault of a number from 900 to 999. The error is a [*RuleError].
func (s *Set) Define(number int, do Do) (Magic, error) {
	if err := s.checkOwn(number, &do); err != nil {
		return Magic{}, err
	}
	defer s.noteChange()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.own[number] = do
	return ownMagic(number, do), nil
}

// checkOwn validates a definition, and sets the defaults of its fault.
func (s *Set) checkOwn(number int, do *Do) error {
	var wrong faults
	wrong.add(number < 900 || number > 999, "/number", "range", "is %d, want 900 to 999", number)
	do.complete(&wrong)
	if err := wrong.err(); err != nil {
		return err
	}
	return s.checkSupported(*do)
}

func ownMagic(number int, do Do) Magic {
	f := catalogue().byName[do.Kind]
	m := Magic{From: number, To: number, Means: f.Does, Fault: f.Name, Do: &do, Ops: f.Ops}
	for _, x := range f.Examples {
		if completed(x.Do) == do {
			m.Means = x.Does
		}
	}
	return m
}

// Magic lists the meaning of all numbers, including defined ones; it is empty if magic is
// off.
func (s *Set) Magic() []Magic {
	if s.options.NoMagic {
		return []Magic{}
	}
	rows := MagicNumbers()
	s.mu.Lock()
	defer s.mu.Unlock()
	for number := 900; number <= 999; number++ {
		if do, ok := s.own[number]; ok {
			rows = append(rows, ownMagic(number, do))
		}
	}
	return rows
}

// magicDigits returns the last three digits of a magic number; false: the number has no fault.
func magicDigits(number taxi.E164) (int, bool) {
	text := string(number)
	digits, magic := strings.CutPrefix(text, MagicBase)
	if !magic {
		digits, magic = strings.CutPrefix(text, MagicAlias)
	}
	n, err := strconv.Atoi(digits)
	return n, magic && len(digits) == 3 && err == nil && n >= 200
}

// magic returns the fault that the caller's number selects, or nil.
func (e *exchange) magic() *chosen {
	if !e.mayBeMagic() {
		return nil
	}
	n, ok := magicDigits(e.caller())
	if !ok {
		return nil
	}
	do, ok := e.set.magicFault(n, e.asked.op)
	if !ok {
		return nil
	}
	id := fmt.Sprintf("%s%03d", magicID, n)
	return &chosen{id: id, do: do, memory: e.set.memoryOf(id)}
}

// mayBeMagic reports whether a body may select a magic number, without decoding it: it
// contains such a number, possibly escaped, or a user.
func (e *exchange) mayBeMagic() bool {
	return slices.ContainsFunc(magicSigns, func(sign []byte) bool { return bytes.Contains(e.body, sign) })
}

var magicSigns = [][]byte{[]byte(MagicBase), []byte(MagicAlias), []byte(`"userId"`), []byte(`\`)}

// magicFault returns the fault that a magic number has for an operation; false: it has none.
func (s *Set) magicFault(n int, op Op) (Do, bool) {
	if n >= 900 {
		s.mu.Lock()
		defer s.mu.Unlock()
		do, ok := s.own[n]
		return do, ok && slices.Contains(catalogue().byName[do.Kind].Ops, op)
	}
	m := magicTable().of[n]
	if m == nil || m.do == nil || !slices.Contains(m.Ops, op) {
		return Do{}, false
	}
	do := completed(m.do(n))
	return do, s.checkSupported(do) == nil && (do.Kind != "status" || http.StatusText(do.Status) != "")
}

// memoryOf returns the memory of a magic number's fault; the first call creates it.
func (s *Set) memoryOf(id string) *memory {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, ok := s.remembered[id]
	if !ok {
		m = newMemory()
		s.remembered[id] = m
	}
	return m
}

// comesAgain reports whether the same request met the same fault before.
func (e *exchange) comesAgain() bool {
	return e.set.repeats().again(sha256.Sum256(slices.Concat([]byte(e.what.id+" "+string(e.asked.op)+" "), e.body)))
}
