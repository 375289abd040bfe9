package sip

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"
)

// keys are the keys of a telephone by their event of RFC 4733.
const keys = "0123456789*#"

// keyEvent is a telephone-event.
type keyEvent struct {
	key      byte
	end      bool
	duration uint16 // in samples
}

// readKey reads a telephone-event; what is no key of a telephone is none.
func readKey(body []byte) (e keyEvent, ok bool) {
	if len(body) < 4 || int(body[0]) >= len(keys) {
		return e, false
	}
	return keyEvent{key: keys[body[0]], end: body[1]&0x80 != 0, duration: binary.BigEndian.Uint16(body[2:])}, true
}

// write appends the event to b.
func (e keyEvent) write(b []byte) []byte {
	const volume = 10 // dBm0 below zero
	second := byte(volume)
	if e.end {
		second |= 0x80
	}
	b = append(b, byte(strings.IndexByte(keys, e.key)), second)
	return binary.BigEndian.AppendUint16(b, e.duration)
}

// infoKey is the key of an INFO request: application/dtmf-relay has lines such as Signal=5,
// application/dtmf is the key alone.
func infoKey(kind string, body []byte) (key byte, ok bool) {
	text := string(bytes.TrimSpace(body))
	switch kind, _, _ = strings.Cut(strings.ToLower(kind), ";"); strings.TrimSpace(kind) {
	case "application/dtmf-relay":
		text = signalOf(text)
	case "application/dtmf":
	default:
		return 0, false
	}
	if event, err := strconv.Atoi(text); err == nil && len(text) == 2 && event < len(keys) {
		return keys[event], true // as some write * and #: 10 and 11
	}
	if len(text) != 1 || !strings.Contains(keys, text) {
		return 0, false
	}
	return text[0], true
}

// signalOf is the signal that the lines of application/dtmf-relay name.
func signalOf(text string) string {
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(line, "=")
		if strings.EqualFold(strings.TrimSpace(name), "signal") {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// keyInfo is the body of an INFO request for a key.
func keyInfo(key byte) []byte { return []byte("Signal=" + string(key) + "\r\nDuration=160\r\n") }
