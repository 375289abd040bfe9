package store

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// bodies are of every form that the quick reader takes, and of some that it does not.
var bodies = []string{
	`{"journeyId":"J1","status":"HELD","date":"2026-11-24T10:00:00Z","eta":{"value":7,"unit":"minutes"},` +
		`"price":{"value":12.4,"currency":"GBP","type":"ESTIMATED"},` +
		`"pickup":{"address":"1 Château Row","location":{"longitude":-2.1,"latitude":54.7000001}},` +
		`"dropoffs":[{"address":"St Brigid's","location":{"longitude":0,"latitude":0.5}},{"address":"B"}],` +
		`"passenger":{"phoneNumber":"+442079460001","name":"Ada"}}`,
	`{"journeyId":"J2","status":"WAITING","date":"2026-06-24T10:00:00.5+01:00","dropoffs":[]}`,
	`{"journeyId":"J\u003c3","status":"EN_ROUTE","vehicle":{"description":"Red","registration":"ZT1"},"location":{"longitude":1e-7,"latitude":1}}`,
	`{"status":"HELD","status":"WAITING","eta":null}`,
	` {"journeyId":"J4"}`, `{}`, `null`, `[]`, `"`, ``,
}

// TestABodyIsReadAsEncodingJSONReadsIt also with any one byte wrong or left out.
func TestABodyIsReadAsEncodingJSONReadsIt(t *testing.T) {
	same := func(body string) {
		var quick, plain taxi.Journey
		err := json.Unmarshal([]byte(body), &plain)
		if got := readBody([]byte(body), &words{}, &quick); err != nil {
			require.Error(t, got, body)
			return
		} else if got != nil {
			require.NoError(t, got, body)
		}
		require.Equal(t, plain, quick, body)
	}
	for _, body := range bodies {
		same(body)
		for i := range body {
			same(body[:i] + body[i+1:])
			for _, c := range "\x00 \"\\{}[],:-+.0189eENn\xff" {
				same(body[:i] + string(c) + body[i+1:])
				same(body[:i] + string([]byte{byte(c)}) + body[i+1:])
			}
		}
	}
	r := bodyReader{rest: []byte(bodies[0])}
	require.True(t, r.journey(new(taxi.Journey)), "the usual form is read the quick way")
}
