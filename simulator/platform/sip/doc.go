// Package sip connects real telephone lines: it receives calls from trunks and from telephones that
// have logged in, and places calls to them. It handles signalling, session descriptions and packets of
// sound; prompts and speech are in package soundline.
//
// The platform is a back-to-back user agent: each leg is a separate dialog, and no header or description
// is copied from one dialog to another. Trunks are identified by their address, as in the interface;
// telephones log in with a password (digest).
//
// Nothing is sent to other machines unless [Options.External] is set.
//
// # A call from INVITE to BYE
//
//	a datagram, or bytes of TCP         Server.filter        too many, or too long: dropped
//	  all mandatory headers, SIP/2.0    Server.guarded       server.go
//	     │
//	INVITE                              Server.invite        incoming.go
//	  from a trunk's address, or from a
//	  telephone with its password       Server.callerOf      incoming.go, digest.go
//	  a codec of ours, an address that
//	  sound may be sent to              line.readOffer       incoming.go, sdp.go
//	     │
//	a line: one dialog, one UDP port    Server.newLine       line.go; found again by Call-ID and tag
//	the platform has a leg of it        Server.receive       Exchange.Call; an error is the refusal
//	     │
//	180 Ringing                         line.Ring
//	200 with our description            line.Answer          dialog.go: respond repeats it until the ACK
//	     │
//	     ├─ sound from the far side     media.receive        jitter.go: in order; then Far.Frame
//	     ├─ sound to the far side       media.send           a packet each 20 ms
//	     ├─ keys                        media.key            keys.go: telephone-event, or INFO
//	     ├─ hold, a new address         line.reinvite        reinvite.go: re-INVITE and UPDATE
//	     └─ still there?                line.watch           no sound for a minute, session timer (session.go)
//	     │
//	BYE of the far side                 line.bye             the platform is told: Far.Ended
//	Hangup of the platform              line.Hangup          BYE; before the answer a final response
//
// A call that the platform places begins with [Server.Dial] (outgoing.go): line.Start sends the INVITE,
// line.follow reads the responses (a login that is asked for, ringing, early sound), and line.final has
// the answer or the refusal. From the answer on it is a line like any other; a Hangup before is CANCEL.
package sip
