package sip

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"
)

// keys lists the keys of a telephone, in the order of their events in RFC 4733.
const keys = "0123456789*#"

// keyEvent is a telephone-event.
type keyEvent struct {
	key      byte
	end      bool
	duration uint16 // in samples
}

// readKey parses a telephone-event; ok is false if it is not a key.
func readKey(body []byte) (e keyEvent, ok bool) {
	if len(body) < 4 || int(body[0]) >= len(keys) {
		return e, false
	}
	return keyEvent{key: keys[body[0]], end: body[1]&0x80 != 0, duration: binary.BigEndian.Uint16(body[2:])}, true
}

// write appends the event to b.
func (e keyEvent) write(b []byte) []byte {
	const volume = 10 // -10 dBm0
	second := byte(volume)
	if e.end {
		second |= 0x80
	}
	b = append(b, byte(strings.IndexByte(keys, e.key)), second)
	return binary.BigEndian.AppendUint16(b, e.duration)
}

// infoKey returns the key of an INFO request. application/dtmf-relay has lines such as Signal=5,
// application/dtmf only the key.
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
		return keys[event], true // some telephones write * and # as 10 and 11
	}
	if len(text) != 1 || !strings.Contains(keys, text) {
		return 0, false
	}
	return text[0], true
}

// signalOf returns the signal of application/dtmf-relay.
func signalOf(text string) string {
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(line, "=")
		if strings.EqualFold(strings.TrimSpace(name), "signal") {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// keyInfo returns the body of an INFO request for a key.
func keyInfo(key byte) []byte { return []byte("Signal=" + string(key) + "\r\nDuration=160\r\n") }
