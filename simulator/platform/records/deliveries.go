package records

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/cabrank/cabrank/store/sqlitedb"
)

// Delivery is an event on its way to a hook.
type Delivery struct {
	Seq      int64     `json:"-"` // in the order of events; 0 until it is stored
	ID       string    `json:"id"`
	Hook     string    `json:"hookId"`
	Account  string    `json:"accountId"`
	Call     string    `json:"callId"`
	Type     string    `json:"type"` // of the event
	Body     string    `json:"body,omitempty"`
	State    State     `json:"state"`
	Attempts int       `json:"attempts"`
	Made     time.Time `json:"made"`
	Due      time.Time `json:"due"`             // of the next attempt, while it is pending
	Status   int       `json:"status"`          // HTTP status of the last response; 0: none
	Error    string    `json:"error,omitempty"` // why the last attempt failed
}

// State is the state of a delivery.
type State string

// The states of a delivery.
const (
	Pending   State = "pending"
	Delivered State = "delivered"
	Dead      State = "dead" // given up; stored, and sent again on request
)

const deliveryColumns = "seq, id, hook, account, call, type, body, state, attempts, made, due, status, error"

// deliveryStatements are prepared, since thousands are executed per second.
type deliveryStatements struct{ insert, update *sql.Stmt }

func (r *Records) prepareDeliveries(ctx context.Context) (err error) {
	if r.deliveries.insert, err = r.db.Prepare(ctx, "INSERT INTO deliveries "+
		"(id, hook, account, call, type, body, state, attempts, made, due, status, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"); err != nil {
		return err
	}
	r.deliveries.update, err = r.db.Prepare(ctx, "UPDATE deliveries SET state = ?, attempts = ?, due = ?, status = ?, error = ? WHERE seq = ?")
	return err
}

// Batch is stored in one commit: new deliveries, whose Seq is set, results of earlier
// ones, and calls that have begun or ended.
type Batch struct {
	Fresh   []*Delivery
	Changed []Delivery
	Began   []LiveCall
	Over    []string // calls
}

// KeepDeliveries stores a batch.
func (r *Records) KeepDeliveries(ctx context.Context, b Batch) error {
	return r.Write(ctx, func(tx *Tx) error {
		for _, call := range b.Began {
			if err := begin(ctx, tx, call); err != nil {
				return err
			}
		}
		for _, d := range b.Fresh {
			if err := r.insertDelivery(ctx, d); err != nil {
				return err
			}
		}
		for _, d := range b.Changed {
			if _, err := r.deliveries.update.ExecContext(ctx, string(d.State), d.Attempts, d.Due.UnixNano(), d.Status, d.Error, d.Seq); err != nil {
				return err
			}
		}
		for _, id := range b.Over {
			if err := over(ctx, tx, id); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *Records) insertDelivery(ctx context.Context, d *Delivery) error {
	res, err := r.deliveries.insert.ExecContext(ctx, d.ID, d.Hook, d.Account, d.Call, d.Type, string(sqlitedb.Sealed([]byte(d.Body))),
		string(d.State), d.Attempts, d.Made.UnixNano(), d.Due.UnixNano(), d.Status, d.Error)
	if err != nil {
		return err
	}
	d.Seq, err = res.LastInsertId()
	return err
}

// PendingDeliveries returns the pending deliveries in order. Those that are damaged are set aside. It is called once, at
// the start.
func (r *Records) PendingDeliveries(ctx context.Context) ([]Delivery, error) {
	list, err := r.listDeliveries(ctx, "WHERE state = 'pending' ORDER BY seq")
	return slices.DeleteFunc(list, func(d Delivery) bool {
		damaged := d.State != Pending
		if damaged {
			r.skipDamaged("deliveries", d.ID, errors.New(d.Error))
		}
		return damaged
	}), err
}

// DeliveryFilter selects deliveries; empty members match all.
type DeliveryFilter struct {
	Account, Hook, Call string
	State               State
	Before              string // id of the last delivery on the previous page
	Most                int
}

// Deliveries lists deliveries, latest first, without their bodies.
func (r *Records) Deliveries(ctx context.Context, f DeliveryFilter) ([]Delivery, error) {
	list, err := r.listDeliveries(ctx, "WHERE (?1 = '' OR account = ?1) AND (?2 = '' OR hook = ?2) AND (?3 = '' OR call = ?3) "+
		"AND (?4 = '' OR state = ?4) AND (?5 = '' OR seq < (SELECT seq FROM deliveries WHERE id = ?5)) ORDER BY seq DESC LIMIT ?6",
		f.Account, f.Hook, f.Call, string(f.State), f.Before, f.Most)
	for i := range list {
		list[i].Body = ""
	}
	return list, err
}

// Delivery returns one delivery.
func (r *Records) Delivery(ctx context.Context, id string) (Delivery, bool, error) {
	list, err := r.listDeliveries(ctx, "WHERE id = ?", id)
	if err != nil || len(list) == 0 {
		return Delivery{}, false, err
	}
	return list[0], true, nil
}

func (r *Records) listDeliveries(ctx context.Context, where string, args ...any) ([]Delivery, error) {
	list := []Delivery{}
	err := query(ctx, r.db.Readers(), "SELECT "+deliveryColumns+" FROM deliveries "+where, func(rows *sql.Rows) error {
		var d Delivery
		var made, due int64
		var body []byte
		if err := rows.Scan(&d.Seq, &d.ID, &d.Hook, &d.Account, &d.Call, &d.Type, &body, &d.State, &d.Attempts,
			&made, &due, &d.Status, &d.Error); err != nil {
			return err
		}
		d.Made, d.Due = time.Unix(0, made).UTC(), time.Unix(0, due).UTC()
		body, err := sqlitedb.Unsealed(body)
		if err != nil {
			d.State, d.Error = Dead, err.Error()
		}
		d.Body = string(body)
		list = append(list, d)
		return nil
	}, args...)
	return list, err
}

// How long finished deliveries are stored.
const (
	keepDelivered = 24 * time.Hour
	keepDead      = 30 * 24 * time.Hour
	prunePage     = 2000 // rows per transaction, so that other changes need not wait long
)

// PruneDeliveries removes deliveries that finished long ago. It reports whether there may
// be more.
func (r *Records) PruneDeliveries(ctx context.Context, now time.Time) (more bool, err error) {
	err = r.Write(ctx, func(tx *Tx) error {
		res, err := tx.sql.ExecContext(ctx, "DELETE FROM deliveries WHERE seq IN (SELECT seq FROM deliveries "+
			"WHERE state = 'delivered' AND made < ?1 OR state = 'dead' AND made < ?2 LIMIT ?3)",
			now.Add(-keepDelivered).UnixNano(), now.Add(-keepDead).UnixNano(), prunePage)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		more = n == prunePage
		return err
	})
	return more, err
}

// DisableHook stores why a hook was switched off.
func (r *Records) DisableHook(ctx context.Context, account, id, why string) error {
	return r.Write(ctx, func(tx *Tx) error {
		row, known := r.Hooks.Get(account, id)
		if !known {
			return nil
		}
		h := row.Value
		h.Disabled = why
		return r.Hooks.Put(ctx, tx, account, id, h)
	})
}
