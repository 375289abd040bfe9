package fault_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/fault"
)

// magic returns the magic number that ends in n.
func magic(n int) taxi.E164 { return taxi.E164(fmt.Sprintf("%s%03d", fault.MagicBase, n)) }

// TestEveryMagicNumberCausesItsFault checks over HTTP that each number of the table causes the fault of its
// row.
func TestEveryMagicNumberCausesItsFault(t *testing.T) {
	t.Parallel()
	for _, m := range fault.MagicNumbers() {
		if m.Fault == "" {
			continue // TestMagicNumbersMatchFixturePeople
		}
		t.Run(m.Numbers(), func(t *testing.T) {
			t.Parallel()
			w, n := begin(t), m.From
			if n == 400 {
				n = 404
			}
			phone := magic(n)
			require.Equal(t, http.StatusNotFound, w.post(fault.User, taxi.UserRequest{PhoneNumber: phone}).status, "nobody has it before a booking")
			ops := map[fault.Op]bool{}
			meet := func(op fault.Op, body any) {
				w.post(op, body)
				w.mu.Lock()
				defer w.mu.Unlock()
				for _, e := range w.told {
					require.Equal(t, fmt.Sprintf("magic-%03d", n), e.ID)
					require.Equal(t, fault.Hit, e.What)
					ops[e.Op] = true
					if n != 404 {
						require.Equal(t, m.Fault, e.Fault)
					}
				}
			}
			first := booking(phone)
			meet(fault.Book, first)
			second := booking(phone)
			second.PickupTime = taxi.At(monday.Add(5 * time.Minute))
			meet(fault.Book, second)
			later := booking(phone)
			later.PickupTime = taxi.At(monday.Add(24 * time.Hour))
			meet(fault.Book, later)
			if booked := w.booked(phone); len(booked) > 0 {
				id := booked[0].JourneyID
				second.JourneyID, second.Name = &id, "Ann Others"
				meet(fault.Book, second)
				for _, until := range []taxi.Status{taxi.Waiting, taxi.EnRoute, taxi.Arrived, taxi.POB, taxi.Complete} {
					_ = w.host.World().Clock().UntilStatus(t.Context(), id, until, time.Hour) // some never get there
					for range 2 {
						meet(fault.Status, w.ref(phone, id))
					}
					meet(fault.User, taxi.UserRequest{PhoneNumber: phone})
				}
				for _, j := range w.booked(phone) {
					meet(fault.Cancel, w.ref(phone, j.JourneyID))
				}
				meet(fault.Status, w.ref(phone, id))
			}
			require.NotEmpty(t, ops, "nothing went wrong")
			for op := range ops {
				require.Contains(t, m.Ops, op)
			}
		})
	}
}

// TestMagicNumbersMatchFixturePeople checks that the rows of the table without a fault, and only they, are
// the numbers of the people of the fixtures.
func TestMagicNumbersMatchFixturePeople(t *testing.T) {
	t.Parallel()
	kinds := map[int]fixtures.PersonKind{}
	for _, p := range fixtures.People() {
		digits := strings.TrimPrefix(string(p.PhoneNumber), fault.MagicBase)
		var n int
		_, err := fmt.Sscanf(digits, "%3d", &n)
		require.NoError(t, err)
		kinds[n] = p.Kind
	}
	rows := map[int]fixtures.PersonKind{
		0: fixtures.PersonMinimal, 1: fixtures.PersonRich, 2: fixtures.PersonOrdinary, 10: fixtures.PersonBusy, 11: fixtures.PersonBusy,
		20: fixtures.PersonOrdinary, 30: fixtures.PersonOrdinary, 101: fixtures.PersonDisabled, 102: fixtures.PersonBlacklisted, 103: fixtures.PersonUnknown,
		104: fixtures.PersonSkipDropOff, 105: fixtures.PersonNoOptions, 106: fixtures.PersonOddName,
	}
	told := 0
	for _, m := range fault.MagicNumbers() {
		if m.Fault != "" {
			require.GreaterOrEqual(t, m.From, 200)
			continue
		}
		for n := m.From; n <= m.To; n++ {
			require.Equal(t, rows[m.From], kinds[n], "%03d", n)
			told++
		}
	}
	require.Len(t, kinds, told, "each of the people has a row")
}

func TestMagicNumberFaultsAndAlias(t *testing.T) {
	t.Parallel()
	w := begin(t)
	met := w.post(fault.Book, booking(magic(503)))
	require.Equal(t, http.StatusServiceUnavailable, met.status)
	require.Equal(t, "2", met.header.Get("Retry-After"))
	require.Equal(t, "magic-503", met.header.Get(fault.Header))
	require.Equal(t, http.StatusTooManyRequests, w.post(fault.Book, booking(fault.MagicAlias+"429")).status, "the alias")
	require.Equal(t, http.StatusOK, w.post(fault.Book, booking(magic(456))).status, "HTTP has no such status")
	require.Equal(t, http.StatusOK, w.post(fault.Book, booking(fault.MagicAlias+"101")).status, "the alias begins at 200")

	require.InDelta(t, 25, w.post(fault.Book, booking(magic(225))).journey(t).ETA.Value, 0)
	w.post(fault.Book, booking(magic(605)))
	require.Equal(t, 5*time.Second, w.paused)

	isEnd(t, w.post(fault.Book, booking(magic(800))))
	require.Len(t, w.booked(magic(800)), 1)
	isWhole(t, w.post(fault.Book, booking(magic(800)))) // the same request again is answered
	require.Len(t, w.booked(magic(800)), 1)

	_, err := w.set.Define(900, fault.Do{Kind: "status", Status: 507})
	require.NoError(t, err)
	require.Equal(t, http.StatusInsufficientStorage, w.post(fault.Book, booking(magic(900))).status)
	table := w.set.Magic()
	require.Equal(t, "442079460900", table[len(table)-1].Numbers())
	_, err = w.set.Define(899, fault.Do{Kind: "close"})
	require.ErrorContains(t, err, "/number is 899, want 900 to 999")
}

// TestUsersNumberPrecedesTheRequestsNumber checks that a booking with a user id and another phone number causes
// the fault of the user's number.
func TestUsersNumberPrecedesTheRequestsNumber(t *testing.T) {
	t.Parallel()
	w := begin(t)
	w.post(fault.Book, booking(magic(220))) // now dispatch knows them
	user, err := w.host.Records().UserByPhone(t.Context(), magic(220))
	require.NoError(t, err)
	friend := booking(magic(503))
	friend.UserID = user.UserID
	met := w.post(fault.Book, friend)
	require.Equal(t, "magic-220", met.header.Get(fault.Header))
}

// TestRulesPrecedeMagicNumbersAndScenarios checks the order of precedence: a rule, the caller's
// number, a scenario.
func TestRulesPrecedeMagicNumbersAndScenarios(t *testing.T) {
	t.Parallel()
	w := begin(t)
	_, err := w.set.AddScenario(fault.Rule{ID: "story", Do: fault.Do{Kind: "status", Status: 410}})
	require.NoError(t, err)
	asks := booking(magic(503))
	rule := w.add(`{"match":{"op":"book"},"do":{"kind":"status","status":409}}`)
	require.Equal(t, 409, w.post(fault.Book, asks).status, "a rule")
	require.NoError(t, w.set.Remove(rule.ID))
	require.Equal(t, 503, w.post(fault.Book, asks).status, "the caller")
	require.Equal(t, 410, w.post(fault.Book, booking(caller)).status, "the scenario")
	require.NoError(t, w.set.Remove("story"))
	require.Equal(t, 200, w.post(fault.Book, booking(caller)).status)

	plain := begin(t, func(o *fault.Options) { o.NoMagic = true })
	require.Equal(t, 200, plain.post(fault.Book, booking(magic(503))).status)
	require.Empty(t, plain.set.Magic())
}

// TestMagicNumbersAreRecognisedInAnyForm checks that a magic number is recognised in every form
// in which a body may contain it, and that similar numbers and other members are not.
func TestMagicNumbersAreRecognisedInAnyForm(t *testing.T) {
	t.Parallel()
	set := fault.New(fault.Options{
		Now: func() time.Time { return monday },
		PhoneOf: func(_ context.Context, id taxi.UserID) taxi.E164 {
			return map[taxi.UserID]taxi.E164{"u": magic(503)}[id]
		},
	})
	handler := fault.Handler(set, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for body, status := range map[string]int{
		`{"phoneNumber":"442079460503"}`:                             503,
		`{"phoneNumber":"+447700900503"}`:                            503,
		`{"phoneNumber":"4420\u00379460503"}`:                        503,
		`{"phoneN\u0075mber":"442079460503"}`:                        503,
		`{"userId":"u"}`:                                             503,
		`{"user\u0049d":"u"}`:                                        503,
		`{"userId":"v","phoneNumber":"442079460503"}`:                503,
		`{"phoneNumber":"442079470503"}`:                             200,
		`{"name":"442079460503"}`:                                    200,
		`{"phoneNumber":"353860000001","pickup":{"address":"No 1"}}`: 200,
	} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/book", strings.NewReader(body)))
		require.Equal(t, status, w.Code, body)
	}
}

// TestDocumentedMagicNumbersMatchTheCode checks that docs/numbers.md has the table of the code.
func TestDocumentedMagicNumbersMatchTheCode(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "cmd", "cabrank", "docs", "numbers.md"))
	require.NoError(t, err)
	require.Contains(t, string(text), magicTable(), "put this into docs/numbers.md:\n%s", magicTable())
}

// magicTable returns the table as Markdown.
func magicTable() string {
	var b strings.Builder
	b.WriteString("| last digits | what happens | fault |\n| --- | --- | --- |\n")
	for _, m := range fault.MagicNumbers() {
		digits := fmt.Sprintf("%03d", m.From)
		if m.To > m.From {
			digits += fmt.Sprintf("–%03d", m.To)
		}
		name := ""
		if m.Fault != "" {
			name = "`" + m.Fault + "`"
			if m.From == m.To {
				name = "`" + m.Do.String() + "`"
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", digits, m.Means, name)
	}
	return b.String()
}
