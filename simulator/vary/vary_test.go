package vary_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/vary"
)

const (
	status = `{"journeyId":"J1","status":"EN_ROUTE","date":"2026-11-24T10:30:00Z","eta":{"value":5,"unit":"minutes"},` +
		`"price":{"value":12.4,"currency":"GBP","type":"ESTIMATED"},` +
		`"pickup":{"address":"Flat 1/2, 3 Café Row, ZT1 4BD","location":{"longitude":2.1,"latitude":54}},` +
		`"dropoffs":[{"address":"🚕 \"Rank\" \\ 2","location":{"longitude":2.2,"latitude":54.7}},{"address":"B","location":{"longitude":2,"latitude":54}}],` +
		`"passenger":{"phoneNumber":"+442079460001","name":"Ada"},"vehicle":{"description":"Red Škoda","registration":"ZT21 KBD"},` +
		`"driver":{"name":"Bo","phoneNumber":"+441134960001","badgeNumber":"B1"},"location":{"longitude":2.15,"latitude":54.65},` +
		`"data":{"outcome":"A/B"}}`
	config = `{"status":"OK","eta":{"value":5,"unit":"minutes"},"data":{"options":["eta","cancel"],"skipDropOff":true}}`
	user   = `{"userId":"U1","phoneNumber":"442079460001","name":"Ada","status":"ENABLED","data":{"features":["voice"]}}`
)

var said = map[string]string{
	taxi.PathConfig: config, taxi.PathUser: user, taxi.PathStatus: status, taxi.PathBook: status,
	taxi.PathCancel: strings.Replace(status, "EN_ROUTE", "CANCELLED", 1),
}

// answer returns the response of a server that answers with a text, at a level of variation.
func answer(t *testing.T, path, text string, code int, level vary.Level, seed uint64) *httptest.ResponseRecorder {
	t.Helper()
	next := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		w.WriteHeader(code)
		_, _ = io.WriteString(w, text) // to memory
	})
	rec := httptest.NewRecorder()
	vary.Handler(next, level, seed).ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, nil))
	require.Equal(t, strconv.Itoa(rec.Body.Len()), rec.Header().Get("Content-Length"))
	require.Equal(t, code, rec.Code)
	return rec
}

// required lists the members that each answer must have.
var required = map[string][]string{
	taxi.PathConfig: {"status", "data"}, taxi.PathUser: {"userId", "phoneNumber", "name", "data"},
	taxi.PathBook: {"journeyId", "status"}, taxi.PathCancel: {"journeyId", "status"},
	taxi.PathStatus: {"journeyId", "status", "date", "pickup", "dropoffs"},
}

// TestVariedAnswersKeepTheirMeaning checks for many seeds that the members that an answer still
// has have their values, and that it has all required ones.
func TestVariedAnswersKeepTheirMeaning(t *testing.T) {
	for path, text := range said {
		for _, level := range []vary.Level{vary.Mild, vary.Rich} {
			for seed := range uint64(60) {
				got := answer(t, path, text, http.StatusOK, level, seed).Body.String()
				var had, has map[string]any
				require.NoError(t, json.Unmarshal([]byte(text), &had))
				require.NoError(t, json.Unmarshal([]byte(got), &has), got)
				for _, name := range required[path] {
					require.Contains(t, has, name, got)
				}
				if list, ok := has["activeBookings"]; ok {
					require.Empty(t, list)
					delete(has, "activeBookings")
				}
				unknown := covered(t, had, has)
				require.LessOrEqual(t, unknown, map[vary.Level]int{vary.Mild: 1, vary.Rich: 15}[level], got)
				if level == vary.Mild {
					require.GreaterOrEqual(t, len(has)-unknown, len(had)-1, got)
					require.NotContains(t, got, "\n")
				}
				if has["driver"] == nil {
					require.Nil(t, has["vehicle"], "both or none")
				}
			}
		}
	}
}

// covered compares what is in both of two objects, and counts what is only in the second.
func covered(t *testing.T, had, has map[string]any) (unknown int) {
	t.Helper()
	for name, now := range has {
		was, known := had[name]
		if !known {
			unknown++
			continue
		}
		unknown += alike(t, name, was, now)
	}
	return unknown
}

func alike(t *testing.T, name string, was, now any) (unknown int) {
	t.Helper()
	switch was := was.(type) {
	case map[string]any:
		return covered(t, was, now.(map[string]any))
	case []any:
		require.Len(t, now, len(was))
		for i := range was {
			unknown += alike(t, name, was[i], now.([]any)[i])
		}
		return unknown
	}
	switch name {
	case "date":
		before, err := time.Parse(time.RFC3339, was.(string))
		require.NoError(t, err)
		after, err := time.Parse(time.RFC3339, now.(string))
		require.NoError(t, err)
		require.True(t, before.Equal(after), "%s %s", was, now)
	case "type":
		require.Equal(t, taxi.Estimated, taxi.PriceType(now.(string)).Canonical())
	default:
		require.Equal(t, was, now)
	}
	return 0
}

// TestEveryVariationOccurs checks that each way of writing an answer occurs in some of
// many worlds, not in all of them, and at no lower level.
func TestEveryVariationOccurs(t *testing.T) {
	const worlds = 150
	for _, row := range []struct {
		name string
		path string
		mild bool // at Mild too; at Rich everything
		seen func(text string, r *httptest.ResponseRecorder) bool
	}{
		{"another order", taxi.PathConfig, true, func(s string, _ *httptest.ResponseRecorder) bool {
			return strings.Index(s, `"eta":`) < strings.Index(s, `"status":`)
		}},
		{"an unknown member", taxi.PathConfig, true, func(s string, _ *httptest.ResponseRecorder) bool { return strings.Contains(s, `"revision":`) }},
		{"an unknown member of a place", taxi.PathStatus, false, func(s string, _ *httptest.ResponseRecorder) bool { return strings.Count(s, "tags") > 1 }},
		{"another offset", taxi.PathStatus, true, func(s string, _ *httptest.ResponseRecorder) bool { return strings.Contains(s, "T11:30:00+01:00") }},
		{"UTC as an offset", taxi.PathStatus, true, func(s string, _ *httptest.ResponseRecorder) bool { return strings.Contains(s, "+00:00") }},
		{"another day", taxi.PathStatus, false, func(s string, _ *httptest.ResponseRecorder) bool {
			return strings.Contains(s, "T23:30:00") || strings.Contains(s, "+05:30")
		}},
		{"a fraction", taxi.PathStatus, true, func(s string, _ *httptest.ResponseRecorder) bool { return strings.Contains(s, ":00.000") }},
		{"no status", taxi.PathUser, true, func(s string, _ *httptest.ResponseRecorder) bool { return !strings.Contains(s, "ENABLED") }},
		{"an empty list", taxi.PathUser, true, func(s string, _ *httptest.ResponseRecorder) bool { return strings.Contains(s, `"activeBookings":`) }},
		{"no passenger", taxi.PathStatus, false, without("passenger")},
		{"no price", taxi.PathStatus, false, without("price")},
		{"no type", taxi.PathStatus, false, without("type")},
		{"no ETA", taxi.PathStatus, false, without("eta")},
		{"no ETA of the system", taxi.PathConfig, false, without("eta")},
		{"no driver", taxi.PathStatus, false, without("driver")},
		{"no location of the car", taxi.PathStatus, false, func(s string, _ *httptest.ResponseRecorder) bool { return strings.Count(s, `"location"`) == 3 }},
		{"id and status alone", taxi.PathBook, false, without("date")},
		{"more digits", taxi.PathStatus, false, func(s string, _ *httptest.ResponseRecorder) bool {
			return strings.Contains(s, "2.150") && strings.Contains(s, "54.0")
		}},
		{"ESTIMATE", taxi.PathStatus, false, func(s string, _ *httptest.ResponseRecorder) bool { return strings.Contains(s, `ESTIMATE"`) }},
		{"escapes", taxi.PathStatus, false, func(s string, _ *httptest.ResponseRecorder) bool {
			return strings.Contains(s, `Flat 1\/2`) && strings.Contains(s, `Caf\u00e9`) && strings.Contains(s, `\ud83d\ude95 \"Rank\" \\ 2`)
		}},
		{"lines", taxi.PathStatus, false, func(s string, _ *httptest.ResponseRecorder) bool { return strings.HasSuffix(s, "\n}\n") }},
		{"a charset", taxi.PathStatus, false, func(_ string, r *httptest.ResponseRecorder) bool {
			return strings.HasSuffix(r.Header().Get("Content-Type"), "; charset=utf-8")
		}},
	} {
		for level := vary.None; level <= vary.Rich; level++ {
			seen := 0
			for seed := range uint64(worlds) {
				r := answer(t, row.path, said[row.path], http.StatusOK, level, seed)
				if row.seen(r.Body.String(), r) {
					seen++
				}
			}
			if level == vary.Rich || level == vary.Mild && row.mild {
				require.Positive(t, seen, "%s at %d", row.name, level)
				require.Less(t, seen, 4*worlds/5, "%s at %d", row.name, level)
			} else {
				require.Zero(t, seen, "%s at %d", row.name, level)
			}
		}
	}
}

func without(name string) func(string, *httptest.ResponseRecorder) bool {
	return func(text string, _ *httptest.ResponseRecorder) bool { return !strings.Contains(text, `"`+name+`":`) }
}

// TestVariationIsStablePerSeed checks that an answer has the same form whenever the
// seed is the same, and other forms at other seeds; a member that a journey lacks is missing at
// every status.
func TestVariationIsStablePerSeed(t *testing.T) {
	forms, lacking := map[string]bool{}, 0
	for seed := range uint64(100) {
		first := answer(t, taxi.PathStatus, status, http.StatusOK, vary.Rich, seed).Body.String()
		require.Equal(t, first, answer(t, taxi.PathStatus, status, http.StatusOK, vary.Rich, seed).Body.String())
		forms[first] = true
		later := strings.Replace(status, "EN_ROUTE", "ARRIVED", 1)
		later = answer(t, taxi.PathStatus, later, http.StatusOK, vary.Rich, seed).Body.String()
		listed := strings.Replace(user, `"name"`, `"activeBookings":[`+status+`],"name"`, 1)
		listed = answer(t, taxi.PathUser, listed, http.StatusOK, vary.Rich, seed).Body.String()
		for _, name := range []string{"price", "passenger", "driver"} {
			lacks := without(name)(first, nil)
			require.Equal(t, lacks, without(name)(later, nil), "%s\n%s", first, later)
			require.Equal(t, lacks, without(name)(listed, nil), "%s\n%s", first, listed)
			if lacks {
				lacking++
			}
		}
	}
	require.Greater(t, len(forms), 95)
	require.Greater(t, lacking, 30)
}

// TestOtherResponsesAreNotVaried checks that errors, answers to other paths, invalid JSON and bodies that
// are too long are sent unchanged, and that values with a meaning are not removed.
func TestOtherResponsesAreNotVaried(t *testing.T) {
	long := strings.Replace(user, "Ada", strings.Repeat("<", 300<<10), 1)
	problem := `{"type":"about:blank","title":"no","status":404}`
	for seed := range uint64(50) {
		require.Equal(t, problem, answer(t, taxi.PathStatus, problem, http.StatusNotFound, vary.Rich, seed).Body.String())
		require.Equal(t, long, answer(t, taxi.PathUser, long, http.StatusOK, vary.Rich, seed).Body.String())
		require.Equal(t, status, answer(t, "/elsewhere", status, http.StatusOK, vary.Rich, seed).Body.String())
		require.Equal(t, status, answer(t, taxi.PathStatus, status, http.StatusOK, vary.None, seed).Body.String())
		for _, odd := range []string{"", "{", `{"a":`, `{"a":[1,}`, `{}{}`, "[]x"} {
			require.Equal(t, odd, answer(t, taxi.PathStatus, odd, http.StatusOK, vary.Rich, seed).Body.String())
		}
		barred := strings.Replace(user, "ENABLED", "BLACKLISTED", 1)
		require.Contains(t, answer(t, taxi.PathUser, barred, http.StatusOK, vary.Rich, seed).Body.String(), "BLACKLISTED")
		fixed := strings.Replace(status, "ESTIMATED", "FIXED", 1)
		if text := answer(t, taxi.PathStatus, fixed, http.StatusOK, vary.Rich, seed).Body.String(); strings.Contains(text, "currency") {
			require.Contains(t, text, "FIXED")
		}
		fine := strings.Replace(status, ":00Z", ":00.123456789Z", 1)
		require.Contains(t, answer(t, taxi.PathStatus, fine, http.StatusOK, vary.Rich, seed).Body.String(), ":00.123456789")
	}
}
