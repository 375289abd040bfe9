package rules

import "github.com/cabrank/cabrank/conformance"

// follow calls look for each read of a kind's probe, with the last served write before
// it.
func (k Kind) follow(s *sheet, look func(last, read *conformance.Exchange)) {
	var last *conformance.Exchange
	for _, x := range s.all {
		switch {
		case x.Probe != ProbeOf(k):
		case (x.Operation == k.Create || x.Operation == k.Update) && x.Sound && x.Succeeded():
			last = x
		case last != nil && x.Succeeded() && (x.Operation == k.List || x.Operation == k.Read):
			look(last, x)
		}
	}
}

func (k Kind) judgeListed(s *sheet, c conformance.Check) {
	k.follow(s, func(last, x *conformance.Exchange) {
		if last.Operation == k.Create && x.Operation == k.List && x.Intent == conformance.IntentPlain {
			found := k.Marked(x.Reply(), last.Sent().At(k.Mark).Text())
			if found.Present() {
				s.Pass(c.ID, last, x)
				return
			}
			s.Fail(c.ID, "the created object is not in the list", k.Mark+" "+last.Sent().At(k.Mark).Show(), x.Reply(), last, x)
		}
	})
}

// judgeKept compares what is read with what a POST or PUT sent.
func (k Kind) judgeKept(method string) func(*sheet, conformance.Check) {
	return func(s *sheet, c conformance.Check) {
		k.follow(s, func(last, x *conformance.Exchange) {
			if last.Request.Method == method && x.Operation == k.Read && x.Intent == conformance.IntentPlain {
				s.wantAllSame(c.ID, last, x)
			}
		})
	}
}

// wantAllSame requires every member to be read as it was sent.
func (s *sheet) wantAllSame(id string, sent, got *conformance.Exchange) {
	for name, v := range sent.Sent().Members() {
		s.wantSame(id, v, got.Reply().At(name), sent, got)
	}
}

func (k Kind) judgeListKept(s *sheet, c conformance.Check) {
	k.follow(s, func(last, x *conformance.Exchange) {
		if last.Operation != k.Update || x.Operation != k.List || x.Intent != conformance.IntentPlain {
			return
		}
		for _, item := range x.Reply().Items() {
			if item.At("id").Scalar() == lastPart(last) {
				s.Want(c.ID, same(last.Sent().At(k.Mark), item.At(k.Mark)), item.At(k.Mark), "what was put, "+last.Sent().At(k.Mark).Show(), last, x)
			}
		}
	})
}

func (k Kind) judgeUnharmed(s *sheet, c conformance.Check) {
	k.follow(s, func(last, x *conformance.Exchange) {
		if x.Operation == k.Read && x.Intent == IntentAfterBad && !s.badTaken(k) {
			s.wantAllSame(c.ID, last, x)
		}
	})
	if s.badTaken(k) {
		s.Unverified(c.ID, conformance.FailedBefore, "an invalid body was accepted", s.of(k.Update, IntentBad)[0])
	}
}

// badTaken reports whether an update of another shape was served.
func (s *sheet) badTaken(k Kind) bool {
	for _, x := range s.of(k.Update, IntentBad) {
		if x.Succeeded() {
			return true
		}
	}
	return false
}
