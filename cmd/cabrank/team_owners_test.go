//go:build unix

package main

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// rememberOwners has the database remember when each world changed its owner. The time is that
// of the statement that changed it, after it has waited for the commits of the former owner.
const rememberOwners = `
	CREATE TABLE owners (number bigserial, world text, owner text, at timestamptz NOT NULL DEFAULT clock_timestamp());
	CREATE FUNCTION remember_owner() RETURNS trigger LANGUAGE plpgsql AS $$
	BEGIN
		INSERT INTO owners (world, owner) VALUES (NEW.name, NEW.owner);
		RETURN NULL;
	END $$;
	CREATE TRIGGER created AFTER INSERT ON worlds FOR EACH ROW EXECUTE FUNCTION remember_owner();
	CREATE TRIGGER taken AFTER UPDATE ON worlds FOR EACH ROW WHEN (OLD.epoch <> NEW.epoch OR OLD.owner <> NEW.owner) EXECUTE FUNCTION remember_owner();
	INSERT INTO owners (world, owner) SELECT name, owner FROM worlds`

// tenure is the time in which a replica was a world's owner by the database.
type tenure struct {
	world, owner string
	from, to     time.Time
}

// owners compares the answers of replicas with who was the owner of the world.
type owners struct {
	began time.Time // before that, the database has not remembered

	mu      sync.Mutex
	answers []answer
	checked int
}

// watchOwners begins to remember the owners of worlds.
func watchOwners(t *testing.T, url string) *owners {
	t.Helper()
	inDatabase(t, url, func(conn *pgx.Conn) error {
		_, err := conn.Exec(t.Context(), rememberOwners)
		return err
	})
	return &owners{began: time.Now()}
}

// inDatabase does something with a connection of its own.
func inDatabase(t *testing.T, url string, do func(*pgx.Conn) error) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	require.NoError(t, do(conn))
}

func (o *owners) saw(a answer) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.answers = append(o.answers, a)
}

// check requires that each answer since the last check is of a replica that was the owner of
// the world at some time between the request and the answer.
func (o *owners) check(t *testing.T, url string) {
	t.Helper()
	o.mu.Lock()
	answers := o.answers
	o.answers = nil
	o.checked += len(answers)
	o.mu.Unlock()
	by := map[string][]tenure{}
	for _, one := range tenures(t, url) {
		by[one.world+"@"+one.owner] = append(by[one.world+"@"+one.owner], one)
	}
	for _, a := range answers {
		require.NotEmpty(t, a.replica)
		require.NoError(t, a.during(by[a.world+"@"+a.replica]))
	}
}

// during reports an error if none of the tenures was during the request.
func (a answer) during(all []tenure) error {
	for _, one := range all {
		if !a.began.After(one.to) && !a.ended.Before(one.from) {
			return nil
		}
	}
	return fmt.Errorf("%s has answered for the world %q from %s to %s; it was the owner in %v", a.replica, a.world, a.began, a.ended, all)
}

// tenures returns who was the owner of which world and when.
func tenures(t *testing.T, url string) (all []tenure) {
	t.Helper()
	inDatabase(t, url, func(conn *pgx.Conn) error {
		rows, err := conn.Query(t.Context(), `SELECT world, owner, at, coalesce(lead(at) OVER (PARTITION BY world ORDER BY number), 'infinity'::timestamptz) = 'infinity',
			coalesce(lead(at) OVER (PARTITION BY world ORDER BY number), now()) FROM owners ORDER BY number`)
		if err != nil {
			return err
		}
		all, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (one tenure, err error) {
			var still bool
			if err = row.Scan(&one.world, &one.owner, &one.from, &still, &one.to); still {
				one.to = time.Now().Add(time.Hour)
			}
			return one, err
		})
		return err
	})
	return all
}
