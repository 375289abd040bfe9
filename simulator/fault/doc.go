// Package fault makes go wrong, on request, what goes wrong between a voice platform
// and a dispatch system: connections that break, answers that are none, bookings of
// which nobody hears, fields that make no sense.
//
//	set := fault.New(fault.Options{Now: world.Clock().Now, Seed: 1})
//	server := fault.Handler(set, host)
//	rule, err := set.Add(fault.Rule{
//		Match:  fault.Match{Op: fault.Book},
//		Window: fault.Window{Times: 1},
//		Do:     fault.Do{Kind: "commit-then-drop"},
//	})
//
// A [Rule] says which requests it is for, how often and how long, and what it does. The
// first rule that matches a request decides. Rules are bounded: one without a number of
// times and without an end lasts [DefaultTTL] of the world's time. They are repeatable:
// chance is drawn from the seed, by the rule and by how many requests it has seen. And
// they are told: an answer that still has headers carries [Header], [Set.List] says
// what is left of each rule, and [Options].Told hears of each change and each request
// that was hit.
//
// [Catalogue] lists the faults with their parameters, and the check of the conformance
// suite that notices each.
//
// A tester who can change nothing but the caller's number dials a magic number, see
// [MagicNumbers]. Where several ask for something, the first of these wins:
//
//  1. a rule,
//  2. the booking's data.simulate.behaviour,
//  3. the number of who calls,
//  4. a scenario's rules.
package fault
