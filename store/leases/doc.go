// Package leases says which process runs which world, in a database that several processes
// share.
//
// A replica is one process. It takes a world for a few seconds, and renews the leases of all its
// worlds together ([Table.Beat]). Whoever takes a world gives it a new epoch, without which no
// records of the world can be written, so that a replica that slept past its lease can neither
// write nor renew. All times are those of the database's clock. A replica that renews a lease
// may rely on it until its own clock has advanced by the length of the lease since it sent the
// renewal.
//
// Each method has a time limit of its own, for a context without one.
package leases
