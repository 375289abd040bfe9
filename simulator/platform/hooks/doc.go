// Package hooks calls third parties over HTTP: it asks flow hooks how to handle a call,
// and delivers events to event hooks.
//
// # An event from the call to its hook
//
//	an event of a call                 Deliverer.Publish    deliver.go
//	  a delivery for each event hook   Deliverer.parcel     one too many is dead at once
//	     │
//	kept, with others in one commit    Deliverer.writeAll   keep.go; tried again each second
//	     │
//	the lane of its call and hook      Deliverer.enter      lane.go; those of a call stay in order
//	due by the schedule                Deliverer.await
//	a turn: 256 at a time in all,
//	  64 of an account                 queues.next          queues.go
//	     │
//	POST, signed, within 15 seconds    Client.post          client.go
//	     │
//	2xx                                Deliverer.settle     lane.go; delivered: the next of its lane
//	410 Gone                           Deliverer.disable    lane.go; the hook is switched off
//	anything else                      Deliverer.again      lane.go; after three attempts the next of
//	  │                                                     its lane need not wait
//	  after the last attempt                                dead, and kept for Redeliver
//
// An event is sent only after it is stored, so a hook receives it at least once, even if
// the process is killed between two lines of the drawing: Start continues with pending
// deliveries.
package hooks
