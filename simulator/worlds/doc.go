// Package worlds keeps many hosts under names, for several testers at a time: a main world, and
// sandboxes that end when nobody has asked for them in a while. It knows nothing of HTTP.
//
//	all, err := worlds.New(ctx, worlds.Options{Config: host.Default(), Open: open, Now: time.Now})
//	ann, err := all.Add(ctx, worlds.Order{Name: "ann", Config: host.Default()})
//	visit, err := ann.Gate.Enter(ctx) // the host stays until visit.Leave
//
// Who changes the host of a world, by a reset or from a snapshot, waits at its [Gate] until those inside
// have left. Its [Broker] sends what happens, and keeps the latest events.
package worlds
