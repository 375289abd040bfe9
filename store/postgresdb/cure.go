package postgresdb

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/jackc/pgx/v5/pgconn"
)

// ErrFenced means that a world belongs to another process now, or was removed: a change of it
// was refused.
var ErrFenced = errors.New("the world belongs to another process now, or was removed")

// cures maps the codes of errors of the server to advice for their cure.
var cures = map[string]string{
	"28P01": "the password is missing or wrong: correct it in the URL, or in PGPASSWORD or ~/.pgpass",
	"28000": "the server refuses this user: create the role (createuser NAME), or allow it in pg_hba.conf",
	"3D000": "the database does not exist: create it (createdb NAME), or correct its name in the URL",
	"3F000": "the schema does not exist: create it (CREATE SCHEMA NAME), or correct its name in the URL",
	"53300": "the server has too many connections: raise its max_connections, or lower pool_max_conns in the URLs of its clients",
	"42501": "this user may not do that: make the user the owner of the database, or GRANT CREATE ON SCHEMA public",
	"42P07": "another program has a table of that name: use a database, or a schema (?schema=NAME), for cabrank only",
	"25006": "the server only reads, as a standby does: use the address of the primary server",
	"53100": "the disk of the server is full: make room on it",
	"57P03": "the server is starting or stopping: wait until it runs",
	"57014": "the statement took too long: see what the server waits for (pg_stat_activity)",
	"08P01": "a pooler in between does not know a parameter: connect to the server itself",
}

// cured is an error with advice for its cure.
type cured struct {
	cure string
	err  error
}

// Error implements error.
func (e *cured) Error() string { return e.cure + ": " + e.err.Error() }

// Unwrap returns the error.
func (e *cured) Unwrap() error { return e.err }

// Explain adds advice for a cure to an error that people may meet, unless it has some. A
// refusal by the function fence of the schema becomes an [ErrFenced].
func Explain(err error) error {
	if _, done := errors.AsType[*cured](err); done || errors.Is(err, ErrFenced) {
		return err
	}
	cure := ""
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		if e.Code == "ZC001" {
			return fmt.Errorf("%w: %w", ErrFenced, err)
		}
		cure = cures[e.Code]
	} else if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		cure = unreachable(err)
	}
	if cure == "" {
		return err
	}
	return &cured{cure, err}
}

// unreachable returns advice for a connection that failed without an answer of the server; "" for other errors.
func unreachable(err error) string {
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return "the server's host is not known: correct it in the URL"
	}
	if _, ok := errors.AsType[*net.OpError](err); ok || errors.Is(err, context.DeadlineExceeded) {
		return "no server answers: start it, or correct the host and the port in the URL"
	}
	return ""
}

// Lost reports whether an error is that of a connection that ended before the server's answer,
// so that it is not known whether the statements were executed. A new connection may succeed.
func Lost(err error) bool {
	if err == nil || pgconn.Timeout(err) {
		return false
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code == "57P01" || e.Code == "57P02" // the server ended the session
	}
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	return !connecting
}
