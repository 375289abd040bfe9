// Package worlds manages several named hosts, for several testers at a time: a main
// world, and sandboxes that expire when they are not used. It does not depend on HTTP.
//
//	all, err := worlds.New(ctx, worlds.Options{Config: host.Default(), Open: open, Now: time.Now})
//	ann, err := all.Add(ctx, worlds.Order{Name: "ann", Config: host.Default()})
//	visit, err := ann.Gate.Enter(ctx) // the host stays until visit.Leave
//
// A reset or the restoring of a snapshot replaces the host of a world; the [Gate] makes
// it wait until current requests have left. The [Broker] of a world sends its events to
// listeners, and stores the latest.
package worlds
