package serving

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/control/tokens"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/replica"
	"github.com/cabrank/cabrank/store"
	"github.com/cabrank/cabrank/store/leases"
	"github.com/cabrank/cabrank/store/postgresdb"
)

// mostShared is the maximum number of sandboxes of one replica.
const mostShared = 4000

// leaveWithin is how long a replica may take to give its worlds away when it stops.
const leaveWithin = 10 * time.Second

// shares reports whether --db names a database that several replicas share.
func (f *systemFlags) shares() bool {
	return strings.HasPrefix(f.db, "postgres://") || strings.HasPrefix(f.db, "postgresql://")
}

// findDatabase replaces a reference in --db by the address that it refers to. Errors never
// contain the address, which may have a password.
func (f *systemFlags) findDatabase(out cli.Outside) error {
	if !cli.RefersToSecret(f.db) {
		return nil
	}
	found, err := cli.SecretFrom(out.Getenv)(f.db)
	if err != nil {
		return cli.UsageError("--db: %w", err)
	}
	if found == "" {
		return cli.UsageError("--db: %s is empty", f.db)
	}
	f.db = found
	return nil
}

// findOwnDatabase is [systemFlags.findDatabase] for a command that runs the main world itself: it refuses a database
// that replicas share.
func (f *systemFlags) findOwnDatabase(out cli.Outside) error {
	if err := f.findDatabase(out); err != nil {
		return err
	}
	if f.shares() {
		return cli.UsageError("--db: the demo shows a world of this process, and with PostgreSQL another replica may run it: name a file, or use 'cabrank serve'")
	}
	return nil
}

// checkTeam returns an error for flags that do not go with --db, or with each other.
func (f *systemFlags) checkTeam(s *system) error {
	if !f.shares() {
		if err := cli.FolderOf("--db", f.db); err != nil {
			return err
		}
	}
	switch {
	case f.shares() && s.open.made:
		return cli.UsageError("--control-token is missing: the replicas of a PostgreSQL database need the same one, such as --control-token env:CABRANK_TOKEN")
	case f.shares() && f.tls.made != "":
		return cli.UsageError("--tls self-signed: the replicas of a PostgreSQL database could not verify each other; use --tls-cert and --tls-key, with a certificate of a CA that all of them trust, perhaps by SSL_CERT_FILE")
	case f.keepSandboxes && f.db == "":
		return cli.UsageError("--keep-sandboxes needs --db FILE, beside which the sandboxes are kept")
	case f.journal.keep && f.db == "":
		return cli.UsageError("--keep-journal needs --db, where the requests are kept")
	case f.replicaURL != "" && !f.shares():
		return cli.UsageError("--replica-url needs --db postgres://…: a file belongs to one server")
	case f.shares() && f.faults != "":
		return cli.UsageError("--faults: with PostgreSQL, the rules are in the database; use 'cabrank scenario start %s'", f.faults)
	}
	if u, err := url.Parse(f.replicaURL); f.replicaURL != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "") {
		return cli.UsageError("--replica-url is %q, want the address of this replica, such as http://10.0.0.5:8080", f.replicaURL)
	}
	return nil
}

// openRecords opens the database of --db: a file, a temporary one if there is none, or one
// that several replicas share.
func (f *systemFlags) openRecords(ctx context.Context, s *system, deps *host.Deps) error {
	s.keeps = f.db != ""
	switch {
	case f.shares():
		return f.join(ctx, s, deps)
	case f.db != "":
		deps.Place, s.database = store.File(f.db), f.db
		return nil
	}
	dir, err := os.MkdirTemp("", "cabrank-")
	if err != nil {
		return fmt.Errorf("temporary database: %w", err)
	}
	s.finish = append(s.finish, func() error { return os.RemoveAll(dir) })
	deps.Place, s.database = store.File(filepath.Join(dir, "cabrank.db")), "temporary, gone at exit (--db FILE keeps it)"
	return nil
}

// join connects to a shared database, and joins its replicas.
func (f *systemFlags) join(ctx context.Context, s *system, deps *host.Deps) error {
	address, err := f.replicaAddress(s)
	if err != nil {
		return err
	}
	db, err := postgresdb.Open(ctx, f.db, postgresdb.Options{})
	if err != nil {
		return cli.Exit(cli.ExitUsage, fmt.Errorf("--db: %w", err))
	}
	s.finish = append(s.finish, func() error {
		db.Close()
		return nil
	})
	id := uuid.NewString()
	s.replica, err = replica.New(ctx, replica.Options{
		Table: leases.New(db), ID: id, Address: address, Now: deps.Now, Log: deps.Log,
		Place: func(name string, epoch int64) store.Place { return store.Shared(db, name, epoch) },
	})
	if err != nil {
		return err
	}
	s.finish = append(s.finish, func() error {
		s.replica.Close()
		return nil
	})
	s.database = fmt.Sprintf("%s, shared; this is replica %s, at %s", db, id, address)
	return nil
}

// replicaAddress returns the address at which other replicas reach this one. If the server
// listens on all addresses, it is that of this machine's name.
func (f *systemFlags) replicaAddress(s *system) (string, error) {
	if f.replicaURL != "" {
		return strings.TrimRight(f.replicaURL, "/"), nil
	}
	at, err := netip.ParseAddrPort(s.address)
	if err != nil || !at.Addr().IsUnspecified() {
		return s.url, nil
	}
	name, err := os.Hostname()
	if err != nil {
		return "", errors.Join(cli.UsageError("--replica-url is missing, and this machine has no name"), err)
	}
	scheme, _, _ := strings.Cut(s.url, "://")
	return scheme + "://" + net.JoinHostPort(name, fmt.Sprint(at.Port())), nil
}

// settings returns the storage for the tokens of persons: a shared database, or files beside --db; nil: memory.
func (f *systemFlags) settings(s *system) tokens.Settings {
	if s.replica != nil {
		return s.replica
	}
	return settingsOf(f.db)
}

// leave hands the worlds of this replica over to other replicas.
func (s *system) leave() error {
	ctx, cancel := context.WithTimeout(context.Background(), leaveWithin)
	defer cancel()
	return s.replica.Leave(ctx)
}
