// Package replica shares the worlds of one database among several processes, the
// replicas: each world runs in one replica at a time, and every replica answers for all of
// them.
//
//	r, err := replica.New(ctx, replica.Options{Table: table, Place: place, ID: id, Address: "http://10.0.0.5:8080", Now: time.Now})
//	server, err := control.New(ctx, control.Options{Directory: r, Elsewhere: r.PassOn, …})
//	r.SetWorlds(server.Worlds())
//	http.Serve(listener, r.Handler(server, server, server.Metrics(r.Metrics())))
//	…
//	err = r.Leave(ctx) // gives the worlds to the other replicas
//	r.Close()
//
// # Leases
//
// A replica has one lease, which it renews once a second (a beat). A row of the database
// names the replica that runs a world, and an epoch: the world belongs to that replica while
// its lease lasts, by the clock of the database. Every commit of the world's records carries
// the epoch, and the database refuses it once another replica has taken the world, which
// raises the epoch. So a replica that slept through the end of its lease cannot write. Whoever
// takes a world from it gives its lease another term, which it learns with its next beat.
//
//	client            replica A                 database                replica B
//	  │ POST /s/ann/book  │                         │                        │
//	  ├──────────────────▶│ ann: owner B, epoch 7   │                        │
//	  │                   ├────────────────────────────── passed on, once ──▶│
//	  │                   │                         │◀── commit, epoch 7 ────┤
//	  │◀──────────────────┤◀───────────────────────────────── 200 ───────────┤
//	  │                   │                         │              kill -9 ──╳
//	  │                   │── take: the lease is ──▶│
//	  │                   │   over; epoch 8         │
//	  │                   │── read the records ────▶│  a commit of epoch 7 is refused
//
// # What a replica knows of its lease
//
// A replica does not compare its clock with that of the database. It trusts its lease for the
// length of the lease less a margin, counted from the moment at which it sent the renewal,
// by its own monotonic clock and by its wall clock; whichever has advanced more
// counts, since one of them may stand still while the machine sleeps. After that, it answers
// 503 with Retry-After until the database has renewed the lease. The margin covers
// clocks whose rates differ by a tenth.
//
// # Who runs what
//
// A world that nobody runs is taken by the replica that gets a request for it, or, within a
// second or two, by one that runs fewer worlds than its share. A replica that runs more than
// its share gives up worlds that nobody has used for a while. A replica that stops gives up
// all, and passes requests on until its server ends.
package replica
