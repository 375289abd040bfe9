package taxi_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

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

func TestOverlay(t *testing.T) {
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

func TestSettingsNamesAreExact(t *testing.T) {
	s := settings(t, `{"Features":["voice"],"skipdropoff":true}`)
	require.Nil(t, s.Features)
	require.Nil(t, s.SkipDropOff)
	require.Len(t, s.Other, 2)
}

func TestSettingsRefuse(t *testing.T) {
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
