// Package webline is a telephone line to a browser: one WebSocket that carries the sound of one
// call in both directions.
//
// A binary message is 20 ms of sound: 320 samples at 16 kHz, mono, signed 16 bits, the low byte first.
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
//	{"stop": true}                what is still to be played is not to be heard: the caller has interrupted it
//	{"hearing": true}             the caller is heard to speak; false: they have paused
//	{"key": "5"}                  the other person on the line presses a key
//
// The line trusts the browser with nothing. A message that is none of these ends the call, and so do
// messages that come faster than sound does. Sound that the browser does not read in time is dropped, the
// oldest first; a browser that reads nothing for a while is hung up on.
package webline
