package dispatch_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// bodies returns a good body for each operation, about one journey.
func (h *house) bodies() map[string]string {
	_, ref := h.book(h.request())
	next := h.request()
	next.Name = "Bystander"
	return map[string]string{
		taxi.PathConfig: `{"data":{"features":["voice"],"options":["eta"],"skipDropOff":false}}`,
		taxi.PathUser:   `{"phoneNumber":"442079460001","data":{"a":1}}`,
		taxi.PathBook:   encode(h.t, next),
		taxi.PathCancel: encode(h.t, ref),
		taxi.PathStatus: encode(h.t, ref),
	}
}

// everything is what the records remember, for comparing.
func (h *house) everything() string {
	all, err := h.records.Journeys(h.t.Context(), 0)
	require.NoError(h.t, err)
	users, err := h.records.Users(h.t.Context())
	require.NoError(h.t, err)
	return encode(h.t, all) + encode(h.t, users)
}

var paths = []string{taxi.PathConfig, taxi.PathUser, taxi.PathBook, taxi.PathCancel, taxi.PathStatus}

// TestBadInputIsRefused sends every kind of bad input to every operation. Each is
// refused with a problem, nothing changes, and the server goes on.
func TestBadInputIsRefused(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 1000) + "1" + strings.Repeat("}", 1000)
	for _, row := range []struct {
		name   string
		body   func(good string) string
		status int
		code   taxi.Code
	}{
		{"empty", func(string) string { return "" }, 400, taxi.CodeMalformedJSON},
		{"blank", func(string) string { return " \n" }, 400, taxi.CodeMalformedJSON},
		{"not JSON", func(string) string { return "hello=world" }, 400, taxi.CodeMalformedJSON},
		{"truncated", func(good string) string { return good[:len(good)-2] }, 400, taxi.CodeMalformedJSON},
		{"array", func(good string) string { return "[" + good + "]" }, 400, taxi.CodeMalformedJSON},
		{"string", func(string) string { return `"hello"` }, 400, taxi.CodeMalformedJSON},
		{"null", func(string) string { return "null" }, 400, taxi.CodeMalformedJSON},
		{"number", func(string) string { return "-7" }, 400, taxi.CodeMalformedJSON},
		{"trailing data", func(good string) string { return good + "{}" }, 400, taxi.CodeMalformedJSON},
		{"duplicate names", func(good string) string { return `{"data":{},"data":{},` + good[1:] }, 400, taxi.CodeMalformedJSON},
		{"bad UTF-8", func(good string) string { return "{\"x\":\"\xff\"," + good[1:] }, 400, taxi.CodeMalformedJSON},
		{"lone surrogate", func(good string) string { return `{"x":"\ud800",` + good[1:] }, 400, taxi.CodeMalformedJSON},
		{"byte order mark", func(good string) string { return "\ufeff" + good }, 400, taxi.CodeMalformedJSON},
		{"raw control character", func(good string) string { return "{\"x\":\"\x00\"," + good[1:] }, 400, taxi.CodeMalformedJSON},
		{"one megabyte", func(good string) string { return `{"x":"` + strings.Repeat("x", 1<<20) + `",` + good[1:] }, 413, taxi.CodeTooLarge},
		{"data of the wrong type", func(good string) string { return `{"data":7}` }, 422, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := newHouse(t)
			for _, path := range paths {
				good := h.bodies()[path]
				before := h.everything()
				resp, body := h.post(path, row.body(good))
				require.Equal(t, before, h.everything(), "%s changed something", path)
				if row.code == "" && path == taxi.PathConfig {
					require.Equal(t, http.StatusOK, resp.StatusCode, "whatever the settings, /config answers")
					continue
				}
				require.Equal(t, row.status, resp.StatusCode, "%s %s", path, body)
				p := problem(t, resp, body)
				if row.code != "" {
					require.Equal(t, row.code, p.Code)
				}
				resp, body = h.post(path, good)
				require.Equal(t, http.StatusOK, resp.StatusCode, "%s still serves: %s", path, body)
			}
		})
	}
	t.Run("harmless", func(t *testing.T) {
		h := newHouse(t)
		for name, insert := range map[string]string{
			"deep nesting":   `{"x":` + deep + `,`,
			"odd numbers":    `{"x":[1e400,-0,1e-7,123456789012345678901234567890],`,
			"changed case":   `{"PhoneNumber":"1","JOURNEYID":"x","UserId":"y",`,
			"unknown fields": `{"$where":"1","constructor":{},"x":null,`,
		} {
			for _, path := range paths {
				resp, body := h.post(path, insert+h.bodies()[path][1:])
				require.Equal(t, http.StatusOK, resp.StatusCode, "%s %s: %s", name, path, body)
			}
		}
	})
}

// TestNonObjectBodyErrorDescribesItsContent checks that the refusal of a body that is no JSON object describes what
// the body is.
func TestNonObjectBodyErrorDescribesItsContent(t *testing.T) {
	h := newHouse(t)
	for sent, want := range map[string]string{
		"{\x00\"\x00":        "the body is UTF-16, want plain UTF-8, in which JSON is sent (RFC 8259, 8.1)",
		"\xff\xfe{\x00}\x00": "the body is UTF-16, want plain UTF-8, in which JSON is sent (RFC 8259, 8.1)",
		"\ufeff{}":           "the body is UTF-8 with a byte order mark, want plain UTF-8, in which JSON is sent (RFC 8259, 8.1)",
		" <html>":            `want a JSON object such as {"phoneNumber": "…"}, got text that begins with '<'`,
	} {
		resp, body := h.post(taxi.PathUser, sent)
		require.Equal(t, want, problem(t, resp, body).Detail, "%q", sent)
	}
}

// TestInvalidFieldsAreAllReported sends bookings with something wrong in them: all of it is
// named at once, each with a pointer.
func TestInvalidFieldsAreAllReported(t *testing.T) {
	h := newHouse(t)
	good := encode(t, h.request())
	for _, row := range []struct {
		name string
		body string
		code taxi.Code
		want []string // pointer and code of each fault
	}{
		{
			"everything missing", `{}`, taxi.CodeValidationFailed,
			[]string{"/name required", "/phoneNumber required", "/pickup required", "/dropoffs required", "/pickupTime required"},
		},
		{
			"everything null", `{"journeyId":null,"userId":null,"name":null,"phoneNumber":null,"pickup":null,"dropoffs":null,"pickupTime":null,"data":null}`,
			taxi.CodeValidationFailed,
			[]string{"/name required", "/phoneNumber required", "/pickup required", "/dropoffs required", "/pickupTime required"},
		},
		{
			"every type wrong", `{"journeyId":7,"userId":[],"name":1,"phoneNumber":442079460001,"pickup":"here","dropoffs":{},"pickupTime":1764000000,"vehicleCategory":true,"data":[]}`,
			taxi.CodeValidationFailed,
			[]string{
				"/journeyId type", "/userId type", "/name type", "/phoneNumber type", "/pickup type", "/dropoffs type",
				"/pickupTime format", "/vehicleCategory type", "/data type",
			},
		},
		{"no drop-off", swap(good, `"dropoffs":[`, `"dropoffs":[],"x":[`), taxi.CodeValidationFailed, []string{"/dropoffs required"}},
		{"drop-off of the wrong type", swap(good, `"dropoffs":[`, `"dropoffs":[5,`), taxi.CodeValidationFailed, []string{"/dropoffs/0 type"}},
		{"too many drop-offs", swap(good, `"dropoffs":[`, `"dropoffs":[`+strings.Repeat(encode(t, hospital)+",", 10)), taxi.CodeTooManyDropoffs, []string{"/dropoffs too-many-dropoffs"}},
		{"no location", swap(good, `"location":{"longitude":2.1,"latitude":54.7}`, `"x":1`), taxi.CodeValidationFailed, []string{"/pickup/location required"}},
		{"latitude out of all bounds", swap(good, `54.7}`, `1e400}`), taxi.CodeValidationFailed, []string{"/pickup/location/latitude format"}},
		{"no latitude", swap(good, `,"latitude":54.7`, ``), taxi.CodeValidationFailed, []string{"/pickup/location/latitude required"}},
		{"other names", swap(good, `{"longitude":2.1,"latitude":54.7}`, `{"lon":2.1,"lat":54.7}`), taxi.CodeValidationFailed, []string{"/pickup/location/longitude required"}},
		{"latitude 91", swap(good, `54.7}`, `91}`), taxi.CodeValidationFailed, []string{"/pickup/location/latitude range"}},
		{"longitude 181", swap(good, `2.1,`, `181,`), taxi.CodeValidationFailed, []string{"/pickup/location/longitude range"}},
		{"longitude a string", swap(good, `2.1,`, `"2.1",`), taxi.CodeValidationFailed, []string{"/pickup/location/longitude type"}},
		{"null island", swap(good, `{"longitude":2.1,"latitude":54.7}`, `{"longitude":0,"latitude":0}`), taxi.CodeAddressUnknown, []string{"/pickup/location address-unknown"}},
		{"blank name", swap(good, `"Ada"`, `" "`), taxi.CodeValidationFailed, []string{"/name required"}},
		{"a name that nobody sees", swap(good, `"Ada"`, `"\u200d\u200b\ufeff\u00a0\u2800\u3164"`), taxi.CodeValidationFailed, []string{"/name required"}},
		{"control characters", swap(good, `"Ada"`, `"A\u0000da"`), taxi.CodeValidationFailed, []string{"/name format"}},
		{"long name", swap(good, `"Ada"`, `"`+strings.Repeat("a", 10_000)+`"`), taxi.CodeValidationFailed, []string{"/name range"}},
		{"phone words", swap(good, `"+442079460001"`, `"call me"`), taxi.CodePhoneInvalid, []string{"/phoneNumber phone-invalid"}},
		{"16 digits", swap(good, `"+442079460001"`, `"4420794600011234"`), taxi.CodePhoneInvalid, []string{"/phoneNumber phone-invalid"}},
		{"date only", swap(good, `"2026-11-24T10:00:00Z"`, `"2026-11-24"`), taxi.CodeValidationFailed, []string{"/pickupTime format"}},
		{"empty journeyId", swap(good, `{"name"`, `{"journeyId":"","name"`), taxi.CodeValidationFailed, []string{"/journeyId required"}},
		{"unheard-of vehicle", swap(good, `{"name"`, `{"vehicleCategory":"helicopter","name"`), taxi.CodeUnknownVehicleCategory, []string{"/vehicleCategory unknown-vehicle-category"}},
		{"much data", swap(good, `{"name"`, `{"data":{"x":"`+strings.Repeat("x", 17<<10)+`"},"name"`), taxi.CodeValidationFailed, []string{"/data range"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			require.NotEqual(t, good, row.body, "the row changes nothing")
			resp, body := h.post(taxi.PathBook, row.body)
			require.Equal(t, http.StatusUnprocessableEntity, resp.StatusCode, "%s", body)
			p := problem(t, resp, body)
			require.Equal(t, row.code, p.Code, "%s", body)
			var got []string
			for _, e := range p.Errors {
				require.NotEmpty(t, e.Detail)
				got = append(got, e.Pointer+" "+e.Code)
			}
			require.ElementsMatch(t, row.want, got, "%s", body)
		})
	}
	_, err := h.client.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460001"})
	refusal(t, err, taxi.CodeUserNotFound)
	resp, body := h.post(taxi.PathBook, swap(good, `{"name"`, `{"vehicleCategory":"WHEELCHAIR","name"`))
	require.Equal(t, http.StatusOK, resp.StatusCode, "what the taxi plugin sends: %s", body)
}

// swap replaces the first occurrence.
func swap(s, old, replacement string) string { return strings.Replace(s, old, replacement, 1) }

func TestPhoneNumberSpellingsAreAccepted(t *testing.T) {
	h := newHouse(t)
	_, ref := h.book(h.request())
	for number, code := range map[taxi.E164]taxi.Code{
		"442079460001":     "",
		"+442079460001":    "",
		"+44 20 7946 0001": "",
		"00442079460001":   "",
		"020 7946 0001":    "",
		"＋442079460001":    "",
		"＋４４ ２０ ７９４６ ０００１": "",
		"(020) 7946-0001":   "",
		"4420794600":        taxi.CodeUserNotFound,
		"1234567":           taxi.CodeUserNotFound,
		"123456789012345":   taxi.CodeUserNotFound,
		"1234567890123456":  taxi.CodePhoneInvalid,
		"12":                taxi.CodePhoneInvalid,
		"anonymous":         taxi.CodePhoneInvalid,
		"'; DROP TABLE x--": taxi.CodePhoneInvalid,
		"":                  taxi.CodeValidationFailed,
	} {
		_, body := h.post(taxi.PathUser, encode(t, taxi.UserRequest{PhoneNumber: number}))
		if code == "" {
			require.Contains(t, string(body), string(ref.UserID), number)
		} else {
			require.Contains(t, string(body), string(code), number)
		}
	}
}

func TestWrongMethodsAndHeadersAreRefused(t *testing.T) {
	h := newHouse(t)
	for _, path := range paths {
		good := h.bodies()[path]
		for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodDelete, http.MethodPatch} {
			resp, body := h.send(method, path, good)
			require.Equal(t, http.StatusMethodNotAllowed, resp.StatusCode)
			require.Equal(t, http.MethodPost, resp.Header.Get("Allow"))
			require.Equal(t, taxi.CodeMethodNotAllowed, problem(t, resp, body).Code)
		}
		for _, row := range []struct {
			header, value string
			code          taxi.Code
		}{
			{"Content-Type", "text/plain", taxi.CodeUnsupportedMediaType},
			{"Content-Type", "", taxi.CodeUnsupportedMediaType},
			{"Content-Type", "application/json; charset=latin1", taxi.CodeUnsupportedMediaType},
			{"Content-Encoding", "gzip", taxi.CodeUnsupportedMediaType},
			{"Accept", "text/html", taxi.CodeNotAcceptable},
		} {
			resp, body := h.post(path, good, row.header, row.value)
			require.Equal(t, row.code, problem(t, resp, body).Code, "%s: %s", row.header, row.value)
		}
		for header, value := range map[string]string{
			"Content-Type": "application/json; charset=UTF-8", "Accept": "*/*", "Content-Encoding": "identity", "content-type": "application/json;charset=utf8",
			"CONTENT-TYPE": "application/json; UTF-8",
		} {
			resp, body := h.post(path, good, header, value)
			require.Equal(t, http.StatusOK, resp.StatusCode, "%s: %s %s", header, value, body)
			require.Equal(t, "application/json", resp.Header.Get("Content-Type"))
		}
	}
	resp, body := h.post("/elsewhere", "{}")
	require.Equal(t, taxi.CodeNotFound, problem(t, resp, body).Code)
}

func TestChunkedBodySizeIsLimited(t *testing.T) {
	h := newHouse(t)
	for _, size := range []int{10, 70 << 10} {
		body := iotest.OneByteReader(strings.NewReader(`{"phoneNumber":"442079460001","x":"` + strings.Repeat("x", size) + `"}`))
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.url+taxi.PathUser, body)
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		want := http.StatusNotFound
		if size > 64<<10 {
			want = http.StatusRequestEntityTooLarge
		}
		require.Equal(t, want, resp.StatusCode)
	}
}

// TestLogNamesTheClient checks that the log line of a request has the client's address, and shortens a very long
// path.
func TestLogNamesTheClient(t *testing.T) {
	var log bytes.Buffer
	clock := func() time.Time { return morning }
	service := dispatch.New(store.Memory(), dispatch.Options{Now: clock, Log: slog.New(slog.NewTextHandler(&log, nil))})
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/"+strings.Repeat("é", 4500), nil)
	answer := httptest.NewRecorder()
	service.Handler(clock, dispatch.HTTPOptions{}).ServeHTTP(answer, r)
	require.Equal(t, http.StatusNotFound, answer.Code)
	require.Equal(t, "nosniff", answer.Header().Get("X-Content-Type-Options"))
	require.Contains(t, log.String(), "client=192.0.2.1")
	require.Less(t, log.Len(), 500)
}

// TestPanicFailsOnlyItsRequest breaks the fleet for one booking: that one is
// answered 500, its turn ends, and the next request is served.
func TestPanicFailsOnlyItsRequest(t *testing.T) {
	h := newHouse(t)
	good := encode(t, h.request())
	h.fleet.broken = true
	resp, body := h.post(taxi.PathBook, good)
	p := problem(t, resp, body)
	require.Equal(t, taxi.CodeInternal, p.Code)
	require.NotContains(t, string(body), "broken")
	h.fleet.broken = false
	resp, _ = h.post(taxi.PathBook, good)
	require.Equal(t, http.StatusOK, resp.StatusCode)
}

func TestServicePagesAreServed(t *testing.T) {
	h := newHouse(t)
	for _, code := range dispatch.Codes() {
		resp, body := h.send(http.MethodGet, "/problems/"+string(code), "")
		require.Equal(t, http.StatusOK, resp.StatusCode)
		require.Contains(t, string(body), fmt.Sprintf("<code>%s</code>", code))
		resp, body = h.send(http.MethodGet, "/problems/"+string(code), "", "Accept", "application/json")
		require.Equal(t, "application/json", resp.Header.Get("Content-Type"))
		require.Contains(t, string(body), `"code":"`+string(code)+`"`)
	}
	for path, want := range map[string]string{
		"/": "/openapi.yaml", "/livez": "ok", "/readyz": "ok", "/version": `"version":"test"`, "/openapi.yaml": "openapi: 3.1",
	} {
		resp, body := h.send(http.MethodGet, path, "")
		require.Equal(t, http.StatusOK, resp.StatusCode, path)
		require.Contains(t, string(body), want)
	}
	require.NoError(t, h.records.Close())
	resp, body := h.send(http.MethodGet, "/readyz", "")
	require.Equal(t, taxi.CodeStorageUnavailable, problem(t, resp, body).Code)
}

func TestConfigReturnsStateAndSettings(t *testing.T) {
	h := newHouse(t)
	c, err := h.client.Config(t.Context(), taxi.ConfigRequest{})
	require.NoError(t, err)
	require.Equal(t, taxi.ConfigResponse{Status: taxi.SystemOK, ETA: minutes(5)}, c)

	skip := true
	h.service.SetSystem(taxi.ConfigResponse{
		Status: taxi.SystemBusy, ETA: minutes(25),
		Data: &taxi.Settings{Options: []taxi.Option{taxi.OptionETA}, SkipDropOff: &skip},
	})
	_, body := h.post(taxi.PathConfig, `{"data":{"anything":[{"goes":null}]}}`)
	require.JSONEq(t, `{"status":"BUSY","eta":{"value":25,"unit":"minutes"},"data":{"options":["eta"],"skipDropOff":true}}`, string(body))
}

// The answer of /config has no wait while bookings are refused, and a longer one while the system is BUSY.
func TestConfigWaitDependsOnSystemStatus(t *testing.T) {
	h := newHouse(t)
	told := &taxi.ETA{Value: 7, Unit: taxi.UnitMinutes}
	for _, row := range []struct {
		system taxi.ConfigResponse
		want   *taxi.ETA
	}{
		{taxi.ConfigResponse{Status: taxi.SystemOK}, minutes(5)},
		{taxi.ConfigResponse{Status: taxi.SystemBusy}, minutes(20)},
		{taxi.ConfigResponse{Status: taxi.SystemClosed}, nil},
		{taxi.ConfigResponse{Status: taxi.SystemMaintenance}, nil},
		{taxi.ConfigResponse{Status: taxi.SystemBusy, ETA: told}, told},
	} {
		h.service.SetSystem(row.system)
		c, err := h.client.Config(t.Context(), taxi.ConfigRequest{})
		require.NoError(t, err)
		require.Equal(t, row.want, c.ETA, row.system)
	}
}

// FuzzOperations sends any bytes to any operation: the answer is never a 5xx.
func FuzzOperations(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "null", "[]", `{"data":7}`, `{"phoneNumber":"442079460001"}`, `{"userId":"u","journeyId":"j"}`,
		`{"journeyId":null,"name":"Ada","phoneNumber":"+442079460001","pickup":{"address":"a","location":{"longitude":2.1,"latitude":54.7}},` +
			`"dropoffs":[{"address":"b","location":{"longitude":2.1,"latitude":54.7}}],"pickupTime":"2026-11-24T10:00:00Z"}`,
		`{"dropoffs":[1,{"location":"x"}],"pickup":{"location":{"latitude":"n"}}}`, "{\"a\":\"\xff\"}", `{"a":"\ud800"}`,
	} {
		for i := range paths {
			f.Add(i, seed)
		}
	}
	records := store.Memory()
	clock := func() time.Time { return morning }
	handler := dispatch.New(records, dispatch.Options{Now: clock}).Handler(clock, dispatch.HTTPOptions{})
	f.Fuzz(func(t *testing.T, op int, body string) {
		path := paths[uint(op)%uint(len(paths))]
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code >= http.StatusInternalServerError {
			t.Fatalf("%s %q: %d %s", path, body, w.Code, w.Body)
		}
		if w.Code != http.StatusOK && w.Header().Get("Content-Type") != taxi.ProblemContentType {
			t.Fatalf("%s %q: refused without a problem: %s", path, body, w.Body)
		}
	})
}
