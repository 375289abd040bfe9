// Package webline is a telephone line to a browser: a WebSocket that carries the sound of one call
// in both directions.
//
// A binary message is 20 ms of sound: 320 samples at 16 kHz, mono, signed 16 bits, little endian.
// A text message is a JSON object with one member. The browser sends:
//
//	{"key": "5"}                  a key is pressed
//	{"say": "to the station"}     words are typed instead of spoken
//	{"hangup": true}              the caller hangs up
//
// The server sends:
//
//	{"call": "…"}                 the id of the call, first
//	{"refused": "…"}              there is no call, and why
//	{"state": "ringing"}          also "answered" and "ended"; "reason" may be beside it
//	{"stop": true}                discard the sound that is still to be played: the caller has interrupted it
//	{"hearing": true}             the caller speaks; false: they have paused
//	{"key": "5"}                  the other person on the line presses a key
//
// The browser is not trusted. Any other message ends the call, and so do messages that arrive faster than
// real-time sound. Sound that the browser does not read in time is dropped, the oldest first. If the browser
// reads nothing for a while, the call ends.
package webline
