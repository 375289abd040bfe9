// Package postgresdb opens a PostgreSQL database for several processes that share it: the
// pool of connections, the numbered migrations, and errors that name the cure. Its schema
// says which process runs which world and has the records of all worlds.
//
// # Fencing
//
// Each world has an epoch, a number that changes whenever another process takes it. A
// transaction that changes records calls the function fence, or begin_commit, of the schema
// first. It fails with [ErrFenced] if the world has another epoch, and otherwise locks the
// world's row, so that the world is taken either before the transaction or after it. A process
// that slept cannot write what it began before, however late its statements arrive.
//
// # Durability
//
// synchronous_commit is that of the URL, of the role, of the database or of the server, such as
// remote_apply. Unless it is off, a commit survives a loss of power of the server.
package postgresdb
