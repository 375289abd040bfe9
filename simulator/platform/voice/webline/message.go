package webline

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"strings"

	"github.com/cabrank/cabrank/dispatch/inbound"
)

// mostWords is the maximum length of a typed sentence in bytes.
const mostWords = 1000

// act is a text message from the browser; one member is set.
type act struct {
	Key    string `json:"key"`
	Say    string `json:"say"`
	Hangup bool   `json:"hangup"`
}

var errNoAct = errors.New(`want {"key": "5"}, {"say": "…"} or {"hangup": true}`)

// readAct parses a text message.
func readAct(text []byte) (a act, err error) {
	if (inbound.Reading{Known: true}).Decode(text, &a) != nil {
		return act{}, errNoAct
	}
	isKey := len(a.Key) == 1 && strings.Contains("0123456789*#", a.Key)
	a.Say = strings.TrimSpace(a.Say)
	isSay := a.Say != "" && len(a.Say) <= mostWords
	switch {
	case isKey && a.Say == "" && !a.Hangup, isSay && a.Key == "" && !a.Hangup, a.Hangup && a.Key == "" && a.Say == "":
		return a, nil
	}
	return act{}, errNoAct
}

// told is a text message from the server to the browser.
type told struct {
	Call    string `json:"call,omitempty"`
	Refused string `json:"refused,omitempty"`
	State   state  `json:"state,omitempty"`
	Reason  string `json:"reason,omitempty"`
	Stop    bool   `json:"stop,omitempty"`
	Hearing *bool  `json:"hearing,omitempty"`
	Key     string `json:"key,omitempty"`
}

// state is the state of the call.
type state string

const (
	ringing  state = "ringing"
	answered state = "answered"
	ended    state = "ended"
)

func (t told) text() []byte {
	text, err := json.Marshal(t)
	if err != nil {
		panic(err) // it has only strings and booleans
	}
	return text
}

// samples decodes a frame into pcm.
func samples(pcm []int16, frame []byte) {
	for i := range pcm {
		pcm[i] = int16(binary.LittleEndian.Uint16(frame[2*i:]))
	}
}

// sound encodes a frame. It returns nil for silence, which need not be sent.
func sound(pcm []int16) []byte {
	silent := true
	frame := make([]byte, 2*len(pcm))
	for i, v := range pcm {
		silent = silent && v == 0
		binary.LittleEndian.PutUint16(frame[2*i:], uint16(v))
	}
	if silent {
		return nil
	}
	return frame
}
