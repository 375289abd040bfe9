package taxi_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

func pickup() taxi.Address {
	return taxi.Address{
		Address:  "Otterbridge Station, Station Road, Otterbridge, ZT1 1AA",
		Location: &taxi.Point{Longitude: 2.0978, Latitude: 54.7012},
	}
}

func dropoff() taxi.Address {
	return taxi.Address{
		Address:  "The Drowned Bell, Quay Street, Otterbridge, ZT2 7LH",
		Location: &taxi.Point{Longitude: 2.1066, Latitude: 54.6969},
	}
}

func wholeJourney() taxi.Journey {
	from := pickup()
	return taxi.Journey{
		JourneyID: "j-1042",
		Status:    taxi.EnRoute,
		Date:      taxi.At(time.Date(2026, 11, 21, 10, 30, 0, 0, time.UTC)),
		ETA:       &taxi.ETA{Value: 4, Unit: taxi.UnitMinutes},
		Price:     &taxi.Price{Value: 12.4, Currency: "GBP", Type: taxi.Estimated},
		Pickup:    &from,
		Dropoffs:  []taxi.Address{dropoff()},
		Passenger: &taxi.Passenger{PhoneNumber: "+442079460021", Name: "Zoë O'Brien"},
		Vehicle:   &taxi.Vehicle{Description: "White Toyota Prius", Registration: "ZT21 KBD"},
		Driver:    &taxi.Driver{Name: "Agnes Fairweather", PhoneNumber: "+441134960007", BadgeNumber: "ZT1007"},
		Location:  &taxi.Point{Longitude: 2.0941, Latitude: 54.6996},
		Data:      &taxi.Outcome{Reason: taxi.ReasonPassenger, Outcome: "ABORTED", Charge: &taxi.Price{Value: 3.6, Currency: "GBP", Type: taxi.Fixed}},
	}
}

func wholeSettings() *taxi.Settings {
	skip := false
	return &taxi.Settings{
		Features:    []taxi.Feature{taxi.FeatureVoice},
		Options:     taxi.Options(),
		SkipDropOff: &skip,
		Other:       map[string]json.RawMessage{"language": json.RawMessage(`"en-GB"`)},
	}
}

// wire holds a minimal and a rich value of each type that is a whole body, by
// the name of its golden file and with the schema that it follows.
func wire() map[string]struct {
	schema string
	value  any
} {
	from, id := pickup(), taxi.JourneyID("j-1042")
	minimal := booking()
	rich := taxi.BookRequest{
		JourneyID: &id, UserID: "u-0001", Name: "Zoë O'Brien", PhoneNumber: "+442079460021", Pickup: &from,
		Dropoffs: []taxi.Address{dropoff(), pickup()}, PickupTime: minimal.PickupTime,
		VehicleCategory: "estate", Data: json.RawMessage(`{"note":"two large suitcases"}`),
	}
	return map[string]struct {
		schema string
		value  any
	}{
		"config_request_minimal":  {"ConfigRequest", taxi.ConfigRequest{}},
		"config_request_rich":     {"ConfigRequest", taxi.ConfigRequest{Data: wholeSettings()}},
		"config_response_minimal": {"ConfigResponse", taxi.ConfigResponse{Status: taxi.SystemOK}},
		"config_response_rich": {"ConfigResponse", taxi.ConfigResponse{
			Status: taxi.SystemBusy, ETA: &taxi.ETA{Value: 25, Unit: taxi.UnitMinutes}, Data: wholeSettings(),
		}},
		"user_request_minimal": {"UserRequest", taxi.UserRequest{PhoneNumber: "442079460001"}},
		"user_request_rich":    {"UserRequest", taxi.UserRequest{PhoneNumber: "442079460001", Data: json.RawMessage(`{"channel":"voice"}`)}},
		"end_user_minimal":     {"EndUser", taxi.EndUser{UserID: "u-0000", PhoneNumber: "442079460000", Name: "Ann Other"}},
		"end_user_rich": {"EndUser", taxi.EndUser{
			UserID: "u-0001", PhoneNumber: "442079460001", Name: "Rosalind Whitlock", Status: taxi.Enabled,
			Data: wholeSettings(), ActiveBookings: []taxi.Journey{wholeJourney()},
		}},
		"book_request_minimal": {"BookRequest", minimal},
		"book_request_rich":    {"BookRequest", rich},
		"journey_minimal":      {"JourneyAnswer", taxi.Journey{JourneyID: "j-1042", Status: taxi.Waiting}},
		"journey_rich":         {"Journey", wholeJourney()},
		"journey_ref":          {"JourneyRef", taxi.JourneyRef{UserID: "u-0001", JourneyID: "j-1042"}},
		"problem_minimal":      {"Problem", taxi.Problem{Type: "/problems/internal", Title: "Something went wrong here", Status: 500, Code: taxi.CodeInternal}},
		"problem_rich": {"Problem", taxi.Problem{
			Type: "/problems/edit-not-allowed", Title: "Too late to change this", Status: 409, Detail: "the taxi is on its way",
			Instance: "r-7f3f8d1f", Code: taxi.CodeEditNotAllowed, Retryable: true, JourneyID: "j-1042", JourneyStatus: taxi.EnRoute,
			Errors: []taxi.FieldError{{Pointer: "/pickupTime", Code: "edit-not-allowed", Detail: "cannot change now"}},
			Say:    "It is too late to change that.",
		}},
	}
}

func TestWireFormatMatchesGoldenFiles(t *testing.T) {
	for name, row := range wire() {
		file := filepath.Join("testdata", name+".json")
		got, err := json.MarshalIndent(row.value, "", "  ")
		require.NoError(t, err)
		got = append(got, '\n')
		golden.Write(t, file, got)
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(string(want), string(got)), name)
		require.NoError(t, document().Judge("#/components/schemas/"+row.schema, got), name)

		read := reflect.New(reflect.TypeOf(row.value))
		require.NoError(t, json.Unmarshal(want, read.Interface()), name)
		require.Empty(t, cmp.Diff(compact(t, want), written(t, read.Interface())), "%s, read and written again", name)
	}
}

func TestRichGoldenValuesAreComplete(t *testing.T) {
	for name, value := range map[string]any{
		"journey": wholeJourney(), "end user": wire()["end_user_rich"].value, "booking": wire()["book_request_rich"].value,
		"config response": wire()["config_response_rich"].value, "problem": wire()["problem_rich"].value,
	} {
		v := reflect.ValueOf(value)
		for f, field := range v.Fields() {
			require.False(t, f.Tag.Get("json") != "-" && field.IsZero(), "%s: %s is not shown", name, f.Name)
		}
	}
}

func compact(t testing.TB, text []byte) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, json.Compact(&b, text))
	return b.String()
}

// bodies makes an empty value of each type that is read off the wire.
var bodies = []func() any{
	blank[taxi.ConfigRequest], blank[taxi.ConfigResponse], blank[taxi.UserRequest], blank[taxi.EndUser],
	blank[taxi.BookRequest], blank[taxi.Journey], blank[taxi.JourneyRef], blank[taxi.Problem],
}

// FuzzWire checks that a body that can be decoded is encoded to JSON that decodes and encodes to the same text.
func FuzzWire(f *testing.F) {
	golden := wire()
	for _, name := range slices.Sorted(maps.Keys(golden)) {
		f.Add([]byte(written(f, golden[name].value)))
	}
	for _, seed := range []string{
		`null`, `[]`, `{}`, ``, `{"journeyId":null,"data":null,"dropoffs":[]}`, `{"eta":{"value":1e400}}`, `{"eta":{"value":-0}}`,
		`{"dropoffs":[null],"activeBookings":[null]}`, `{"date":"2026-11-21T10:30:00+24:60"}`, `{"data":"text","status":7}`,
		"{\"name\":\"\xff\",\"data\":{\"\\ud800\":\"\xff\"}}", `{"Data":{"a":1,"a":2}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, blank := range bodies {
			first, second := blank(), blank()
			if json.Unmarshal(body, first) != nil {
				continue
			}
			text := written(t, first)
			require.NoError(t, json.Unmarshal([]byte(text), second), text)
			require.Equal(t, text, written(t, second))
		}
	})
}

func TestEncodingOfNamesOtherEncodings(t *testing.T) {
	for body, want := range map[string]string{
		`{"a":1}`: "", "": "", "{": "", "{}": "", "\xe9t\xe9!": "", "{\x00": "", "\x00\x00\x00\x00": "",
		"\xef\xbb\xbf{}":     "UTF-8 with a byte order mark",
		"\xff\xfe{\x00}\x00": "UTF-16", "\xfe\xff\x00{\x00}": "UTF-16", "{\x00}\x00": "UTF-16", "\x00{\x00}": "UTF-16",
		"\xff\xfe\x00\x00{\x00\x00\x00": "UTF-32", "\x00\x00\xfe\xff\x00\x00\x00{": "UTF-32", "{\x00\x00\x00}": "UTF-32", "\x00\x00\x00{": "UTF-32",
	} {
		require.Equal(t, want, taxi.EncodingOf([]byte(body)), "%q", body)
	}
}

func settings(t testing.TB, text string) taxi.Settings {
	t.Helper()
	var s taxi.Settings
	require.NoError(t, json.Unmarshal([]byte(text), &s), text)
	return s
}

func written(t testing.TB, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

func TestOverlayReplacesPresentFields(t *testing.T) {
	const all = `{"features":["voice"],"language":"en-GB","options":["eta","cancel"],"skipDropOff":true}`
	for name, row := range map[string]struct{ base, over, want string }{
		"nothing over nothing":     {`{}`, `{}`, `{}`},
		"nothing over all":         {all, `{}`, all},
		"all over nothing":         {`{}`, all, all},
		"all over all":             {all, all, all},
		"features":                 {all, `{"features":["voice","chat"]}`, `{"features":["voice","chat"],"language":"en-GB","options":["eta","cancel"],"skipDropOff":true}`},
		"options are replaced":     {all, `{"options":["jobID"]}`, `{"features":["voice"],"language":"en-GB","options":["jobID"],"skipDropOff":true}`},
		"an empty list counts":     {all, `{"options":[]}`, `{"features":["voice"],"language":"en-GB","options":[],"skipDropOff":true}`},
		"false counts":             {all, `{"skipDropOff":false}`, `{"features":["voice"],"language":"en-GB","options":["eta","cancel"],"skipDropOff":false}`},
		"null counts as absent":    {all, `{"features":null,"options":null,"skipDropOff":null}`, all},
		"another field is set":     {all, `{"language":"cy"}`, `{"features":["voice"],"language":"cy","options":["eta","cancel"],"skipDropOff":true}`},
		"another field is added":   {`{"a":1}`, `{"b":{"c":[2]}}`, `{"a":1,"b":{"c":[2]}}`},
		"unknown words go through": {`{}`, `{"options":["teleport"]}`, `{"options":["teleport"]}`},
	} {
		t.Run(name, func(t *testing.T) {
			base, over := settings(t, row.base), settings(t, row.over)
			require.Equal(t, row.want, written(t, base.Overlay(over)))
			require.Empty(t, cmp.Diff(settings(t, row.base), base), "the base is left alone")
			require.Empty(t, cmp.Diff(settings(t, row.over), over), "the overlay is left alone")
		})
	}
}

func TestSettingsKeepUnknownFields(t *testing.T) {
	const text = `{"deep":{"a":[1,{"b":null}]},"language":"en-GB","limit":1e400,"nothing":null,"options":["eta"]}`
	require.Equal(t, text, written(t, settings(t, text)), "also what Go could not hold in a number")
	require.Equal(t, text, written(t, taxi.Settings{}.Overlay(settings(t, text))))
}

func TestSettingsNamesAreCaseSensitive(t *testing.T) {
	s := settings(t, `{"Features":["voice"],"skipdropoff":true}`)
	require.Nil(t, s.Features)
	require.Nil(t, s.SkipDropOff)
	require.Len(t, s.Other, 2)
}

func TestSettingsRefuseWrongTypes(t *testing.T) {
	for _, text := range []string{
		``, `[]`, `"voice"`, `7`, `{"features":"voice"}`, `{"features":[7]}`, `{"options":{}}`, `{"skipDropOff":"yes"}`, `{"skipDropOff":1}`,
	} {
		kept := settings(t, `{"options":["eta"]}`)
		require.Error(t, json.Unmarshal([]byte(text), &kept), text)
		require.Equal(t, `{"options":["eta"]}`, written(t, kept), "a refusal changes nothing: %s", text)
	}
}

func FuzzSettings(f *testing.F) {
	for _, seed := range []string{
		`{}`, `null`, `{"features":["voice"],"options":[],"skipDropOff":false,"x":{"y":[null,1e400]}}`,
		`{"options":[null]}`, `{"a":1,"a":2}`, "{\"\xff\":\"\xff\",\"\\ud800\":\"<&>\"}",
	} {
		f.Add([]byte(seed), []byte(`{"options":["eta"],"x":1}`))
	}
	f.Fuzz(func(t *testing.T, base, over []byte) {
		var s, o taxi.Settings
		if json.Unmarshal(base, &s) != nil || json.Unmarshal(over, &o) != nil {
			return
		}
		text := written(t, s)
		require.Equal(t, text, written(t, settings(t, text)), "written, read and written again")
		require.Equal(t, text, written(t, s.Overlay(taxi.Settings{})))
		once := s.Overlay(o)
		require.Equal(t, written(t, once), written(t, once.Overlay(o)), "twice is once")
		require.Equal(t, text, written(t, s), "the base is left alone")
	})
}
