package dispatch

import (
	"time"

	"github.com/cabrank/cabrank/store"
)

// txn is one rule applied to the records, with the changes to report to the fleet.
// A simulated day has millions of them, so they are pooled.
type txn struct {
	*store.Tx

	service *Service
	rule    func(*txn) error
	changes []Change     // not yet reported
	clock   callersClock // the clock of the caller's times

	run func(*store.Tx) error // applies the rule; bound once

	now     time.Time // for advance and the two of a booking
	step    Step
	after   *store.Journey
	booking booking
}

// txn returns an unused txn from the pool, or a new one.
func (s *Service) txn() *txn {
	if used, ok := s.txns.Get().(*txn); ok {
		return used
	}
	tx := &txn{service: s}
	tx.run = tx.apply
	return tx
}

// release puts a txn back into the pool.
func (tx *txn) release() {
	tx.Tx, tx.rule, tx.step, tx.after, tx.clock, tx.booking = nil, nil, Step{}, nil, nil, booking{}
	clear(tx.changes)
	tx.changes = tx.changes[:0]
	tx.service.txns.Put(tx)
}

// apply runs the rule, and then reports its changes, which can no longer be undone.
func (tx *txn) apply(records *store.Tx) error {
	tx.Tx = records
	if err := tx.rule(tx); err != nil {
		return err
	}
	return tx.reportChanges()
}

// reportChanges reports the changes so far to the fleet. If the transaction is going to fail,
// it reports nothing and returns the error.
func (tx *txn) reportChanges() error {
	if err := tx.Err(); err != nil {
		return err
	}
	for _, c := range tx.changes {
		tx.service.fleet.Changed(c)
	}
	tx.changes = tx.changes[:0]
	return nil
}

// advance makes the step of a journey for [Service.Advance], within a transaction.
func (tx *txn) advance() error {
	j, err := tx.Journey(tx.step.Journey)
	if err != nil {
		return err
	}
	tx.after = j
	return tx.move(tx.now, j, tx.step)
}

// apply applies a rule to the records as a transaction.
func (s *Service) apply(rule func(*txn) error) (store.Ticket, error) {
	tx := s.txn()
	defer tx.release()
	tx.rule = rule
	return s.records.Apply(tx.run)
}
