// Package booking is the taxi plugin: a caller books, changes and cancels taxis in a
// conversation.
//
// It has three layers; each is independent of those below it in this list:
//
//	Visit    one customer request: what the third party says of this caller, and
//	         what can be done for them.
//	Session  a conversation about it: which state it is in, what is said there,
//	         which answers lead where. The states are one table ([Conversation]).
//	         Package chat writes one; package robot is a customer in one.
//	Desk     all of it for the platform: the settings of accounts, what callers
//	         did lately, and [Desk.Turn], which speaks a session on the phone.
//
// Package spoken contains the prompts, package grammar understands callers, and package
// operations calls third parties.
package booking
