// Package booking is the taxi plugin: somebody calls a number, hears their own
// name, and a taxi comes.
//
// It has three layers, which know nothing of the one above:
//
//	Visit    one customer request: what the third party says of this caller, and
//	         what can be done for them.
//	Session  a conversation about it: which state it is in, what is said there,
//	         which answers lead where. The states are one table ([Conversation]).
//	         Package chat writes one; package robot is a customer in one.
//	Desk     all of it for the platform: the settings of accounts, what callers
//	         did lately, and [Desk.Turn], which speaks a session on the phone.
//
// What is said is in package spoken, what a caller meant in package grammar, how
// a third party is called in package operations.
package booking
