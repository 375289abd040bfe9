package dispatch

import (
	"context"
	"fmt"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Op is the kind of a command.
type Op string

// The kinds of command. Reads are not commands, since they change nothing.
const (
	OpBook   Op = "book"   // /book, to create or to edit
	OpCancel Op = "cancel" // /cancel
	OpAdmit  Op = "admit"  // /user made a user for an unknown number
	OpSystem Op = "system" // SetSystem changed what /config answers
)

// Command is one external request that may change the records, with its outcome. The same
// commands at the same times bring another service with the same seed to the same state,
// so a list of commands is a recording of the run. [Service.Execute] repeats a command.
//
// It holds the request as it was sent, with the passenger's name and number.
type Command struct {
	At time.Time // of its turn
	Op Op

	Book   *taxi.BookRequest    // for OpBook; its number, time and data in their stored forms
	Ref    *taxi.JourneyRef     // for OpCancel
	Phone  taxi.E164            // for OpAdmit, in digits
	System *taxi.ConfigResponse // for OpSystem

	// What identifies a repeated request. Zero: nothing.
	Key         string   // Idempotency-Key
	Hash        [32]byte // SHA-256 of the body, if there is a key
	Fingerprint [32]byte // the same, if equal bodies without a key are one booking

	// The outcome: an id, or the code of the refusal.
	Journey taxi.JourneyID // booked, edited or cancelled
	User    taxi.UserID    // admitted
	Refused taxi.Code
}

// Execute repeats a recorded command at the service's present time. A refusal is an outcome,
// not an error.
func (s *Service) Execute(ctx context.Context, c Command) error {
	var err error
	switch {
	case c.Op == OpBook && c.Book != nil:
		idem := idempotency{key: c.Key, hash: c.Hash, fingerprint: c.Fingerprint}
		_, err = s.book(ctx, *c.Book, idem, &fieldErrors{})
	case c.Op == OpCancel && c.Ref != nil:
		_, err = s.Cancel(ctx, *c.Ref)
	case c.Op == OpAdmit:
		err = s.executeAdmit(ctx, c.Phone)
	case c.Op == OpSystem && c.System != nil:
		s.SetSystem(*c.System)
	default:
		return fmt.Errorf("command %q is unknown or lacks its request", c.Op)
	}
	if err == nil || problemOf(err).Code != taxi.CodeInternal {
		return nil
	}
	return fmt.Errorf("%s: %w", c.Op, err)
}

// executeAdmit repeats the creation of a user by /user.
func (s *Service) executeAdmit(ctx context.Context, digits taxi.E164) error {
	now, leave := s.enter()
	_, ticket, err := s.admit(now, digits)
	leave()
	if err != nil {
		return err
	}
	return ticket.Wait(ctx)
}

// reportCommand reports a command to the observer ([Options].Commands), within its
// turn.
func (s *Service) reportCommand(c Command, err error) {
	if s.commands == nil {
		return
	}
	if err != nil {
		c.Refused = problemOf(err).Code
		c.Journey, c.User = "", ""
	}
	s.commands(c)
}

// reportCancel reports a /cancel.
func (s *Service) reportCancel(now time.Time, r taxi.JourneyRef, err error) {
	if s.commands == nil {
		return
	}
	asked := r
	s.reportCommand(Command{At: now, Op: OpCancel, Ref: &asked, Journey: r.JourneyID}, err)
}

// reportBook reports a /book.
func (s *Service) reportBook(now time.Time, r taxi.BookRequest, idem idempotency, b bookResult, err error) {
	if s.commands == nil {
		return
	}
	asked := r // a copy, so that requests move to the heap only with an observer
	c := Command{At: now, Op: OpBook, Book: &asked, Key: idem.key, Fingerprint: idem.fingerprint, Journey: b.journey.JourneyID}
	if idem.key != "" {
		c.Hash = idem.hash
	}
	s.reportCommand(c, err)
}
