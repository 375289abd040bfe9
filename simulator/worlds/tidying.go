package worlds

import (
	"context"
	"errors"
	"time"
)

// tidyWithin limits how long the directory may take for the work of one minute.
const tidyWithin = 30 * time.Second

// TidyUp removes expired worlds, and further ones if memory is short. It runs every
// minute.
func (s *Worlds) TidyUp() {
	ctx, cancel := context.WithTimeout(context.Background(), tidyWithin)
	defer cancel()
	s.removeExpired(ctx)
	s.shrink()
	if err := s.tidyDirectory(ctx); err != nil {
		s.log.Warn("the directory of worlds could not be tidied up", "error", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended && s.tidy != nil {
		s.tidy.Reset(tidyEvery)
	}
}

// removeExpired removes the expired worlds of this process.
func (s *Worlds) removeExpired(ctx context.Context) {
	for _, w := range s.takeExpired() {
		if err := w.remove(ctx); err != nil {
			s.log.WarnContext(ctx, "a sandbox that nobody asked for could not be ended", "sandbox", w.Name, "error", err)
		}
		s.drop(w.Name)
	}
}

// takeExpired removes the expired worlds from the list, and returns them.
func (s *Worlds) takeExpired() (expired []*World) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.options.Now()
	for _, w := range s.listed() {
		if w.expired(now) {
			expired = append(expired, w)
		}
	}
	return s.takeOut(expired)
}

// tidyDirectory stores when worlds were last used, and removes expired worlds that no
// process runs.
func (s *Worlds) tidyDirectory(ctx context.Context) error {
	if s.options.Directory == nil {
		return nil
	}
	var errs []error
	for _, w := range s.here() {
		if w.asked.Load()-w.stored.Load() >= tidyEvery.Milliseconds() && w.Holds() {
			errs = append(errs, w.keep(ctx))
		}
	}
	all, err := s.options.Directory.List(ctx)
	errs = append(errs, err)
	for _, listed := range all {
		if listed.Address == "" && s.options.Now().After(listed.Facts.gone()) {
			errs = append(errs, s.removeUnused(ctx, listed.Name))
		}
	}
	return errors.Join(errs...)
}

// Expires returns when a world expires unless it is used before.
func (f *Facts) Expires() time.Time {
	unused := f.Asked.Add(time.Duration(f.TTL))
	if !f.Until.IsZero() && f.Until.Before(unused) {
		return f.Until
	}
	return unused
}

// gone returns the time at which a world has certainly expired: the time of its last use is
// stored up to a minute late.
func (f *Facts) gone() time.Time {
	if at := f.Expires(); at.Equal(f.Until) {
		return at
	}
	return f.Expires().Add(2 * tidyEvery)
}

// removeUnused removes a world that no process runs, unless one has claimed it meanwhile.
func (s *Worlds) removeUnused(ctx context.Context, name string) error {
	s.mu.Lock()
	busy := s.byName[name] != nil || s.opening[name] != nil
	if !busy {
		s.opening[name] = &opening{done: make(chan struct{})}
	}
	s.mu.Unlock()
	if busy {
		return nil
	}
	defer s.drop(name)
	claim, err := s.options.Directory.Claim(ctx, name)
	if _, elsewhere := errors.AsType[*Elsewhere](err); elsewhere || errors.Is(err, ErrUnknown) {
		return nil
	}
	if err != nil {
		return err
	}
	if facts := claim.Facts(); !s.options.Now().After(facts.gone()) {
		return claim.Give(ctx)
	}
	return claim.Remove(ctx)
}
