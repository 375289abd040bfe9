// Package leases says which process runs which world, in a database that several processes
// share.
//
// A replica is one process. It has a lease for a few seconds, which it renews ([Table.Beat]), and
// takes worlds, which are its own while the lease lasts. Whoever takes a world gives it a new
// epoch, without which no records of the world can be written. Whoever takes one from a replica
// whose lease is over ends that lease, which gives it a new term. So a replica that slept past
// its lease can neither write nor renew without noticing. All times are those of the database's
// clock. A replica that renews its lease may rely on it until its own clock has advanced by the
// length of the lease since it sent the renewal.
//
// Each method has a time limit of its own, for a context without one.
package leases
