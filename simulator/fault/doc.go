// Package fault injects faults between a voice platform and a dispatch system: broken
// connections, invalid responses, bookings whose response is lost, fields that make no
// sense.
//
//	set := fault.New(fault.Options{Now: world.Clock().Now, Seed: 1})
//	server := fault.Handler(set, host)
//	rule, err := set.Add(fault.Rule{
//		Match:  fault.Match{Op: fault.Book},
//		Window: fault.Window{Times: 1},
//		Do:     fault.Do{Kind: "commit-then-drop"},
//	})
//
// A [Rule] selects requests, how often and how long it applies, and the fault. The first
// rule that matches a request applies. Rules are limited: one without a number of times
// and without an end lasts [DefaultTTL] of the world's time. They are repeatable: random
// choices depend only on the seed, the rule and the number of requests it has seen. And
// they are visible: a response with headers contains [Header], [Set.List] reports what
// remains of each rule, and [Options].Told receives each change and each request that was
// hit.
//
// [Catalogue] lists the faults with their parameters, and the check of the conformance
// suite that detects each.
//
// A tester who can only change the caller's number uses a magic number, see
// [MagicNumbers]. If several of these select a fault, the first applies:
//
//  1. a rule,
//  2. the caller's number,
//  3. a scenario's rules.
package fault
