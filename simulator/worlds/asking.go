package worlds

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/cabrank/cabrank/simulator/host"
)

// openWithin limits the time in which a world is opened, while requests wait for it.
const openWithin = 30 * time.Second

// Ask returns a world that does not expire until leave is called. It opens a world of the
// [Directory] that no process runs. If another process runs it, the error is an [Elsewhere].
func (s *Worlds) Ask(ctx context.Context, name string) (w *World, leave func(), err error) {
	if s.options.Directory != nil {
		limited, cancel := context.WithTimeoutCause(ctx, s.options.Directory.Patience(), errSlow)
		defer cancel()
		ctx = limited
	}
	for waited := false; ; waited = true {
		w, o, err := s.look(name)
		switch {
		case err != nil:
			return nil, nil, err
		case w != nil:
			leave := func() {
				w.touch(s.options.Now())
				w.inside.Add(-1)
			}
			if waited && s.options.Directory != nil {
				err = s.options.Directory.Fresh(ctx)
			}
			if err != nil {
				leave()
				return nil, nil, err
			}
			return w, leave, nil
		case o != nil:
			if err := o.wait(ctx); err != nil {
				return nil, nil, err
			}
		default:
			if err := s.fetch(ctx, name); err != nil {
				return nil, nil, err
			}
		}
	}
}

// Open opens a world of the [Directory] that no process runs. This does not count as a use of the world.
func (s *Worlds) Open(ctx context.Context, name string) error { return s.fetch(ctx, name) }

// Peek returns a world of this process that has not expired. This does not count as a use of
// the world. If another process runs it, the error is an [Elsewhere].
func (s *Worlds) Peek(ctx context.Context, name string) (*World, error) {
	for {
		s.mu.Lock()
		w, o := s.byName[name], s.opening[name]
		s.mu.Unlock()
		switch {
		case w != nil && w.expired(s.options.Now()), w == nil && s.options.Directory == nil:
			return nil, s.notFound(name)
		case w != nil && !w.Holds():
			return nil, ErrLapsed
		case w != nil:
			return w, nil
		case o == nil:
			return s.peekAway(ctx, name)
		}
		if err := o.wait(ctx); err != nil {
			return nil, err
		}
	}
}

// peekAway is [Worlds.Peek] for a world that is not open in this process.
func (s *Worlds) peekAway(ctx context.Context, name string) (*World, error) {
	switch listed, err := s.options.Directory.Find(ctx, name); {
	case err != nil:
		return nil, s.refused(name, err)
	case listed.Address != "":
		return nil, &Elsewhere{name, listed.Address, listed.Owner}
	}
	if err := s.Open(ctx, name); err != nil { // nobody runs it
		return nil, err
	}
	return s.Peek(ctx, name)
}

// Find returns a world of the [Directory].
func (s *Worlds) Find(ctx context.Context, name string) (Listed, error) {
	listed, err := s.options.Directory.Find(ctx, name)
	if err != nil {
		err = s.refused(name, err)
	}
	return listed, err
}

// Everywhere returns the sandboxes that are open in this process, and those of the [Directory] that are not. The
// directory is asked first: a world that is opened meanwhile is in one of the two, and so is one that is given back.
func (s *Worlds) Everywhere(ctx context.Context) (here []*World, others []Listed, err error) {
	if s.options.Directory != nil {
		if others, err = s.options.Directory.List(ctx); err != nil {
			return nil, nil, s.refused("", err)
		}
	}
	here = s.All()
	return here, slices.DeleteFunc(others, func(l Listed) bool {
		return slices.ContainsFunc(here, func(w *World) bool { return w.Name == l.Name }) ||
			l.Address == "" && s.options.Now().After(l.Facts.gone())
	}), nil
}

// wait waits until the opening has ended, with or without success, and returns an error only if ctx ends first.
func (o *opening) wait(ctx context.Context) error {
	select {
	case <-o.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// look returns a world of this process, which is in use from then on, or one that is
// being opened; both are nil if the directory must be asked.
func (s *Worlds) look(name string) (*World, *opening, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, o := s.byName[name], s.opening[name]
	switch {
	case w == nil && o != nil:
		return nil, o, nil
	case w == nil && s.options.Directory == nil, w != nil && w.expired(s.options.Now()):
		return nil, nil, s.notFound(name)
	case w == nil:
		return nil, nil, nil
	case !w.Holds():
		return nil, nil, ErrLapsed
	}
	w.touch(s.options.Now())
	w.inside.Add(1)
	return w, nil, nil
}

// ErrLapsed refuses requests for a world that another process may run by now.
var ErrLapsed = refuse(Moving, "the database has not confirmed for a while that this process runs the world; ask again")

// errStopping refuses requests for worlds of a directory once those of this process have ended.
var errStopping = refuse(Moving, "this process is stopping; ask again")

// errSlow refuses requests that do not wait any longer for a world.
var errSlow = refuse(Moving, "the world is not open yet, since the database is slow; the request was not executed; ask again")

// fetch claims a world of the directory, and opens it. A caller that does not wait so long does
// not end the opening, since others may wait for it.
func (s *Worlds) fetch(ctx context.Context, name string) error {
	fetched := make(chan error, 1)
	s.mu.Lock()
	switch {
	case s.ended:
		fetched <- errStopping
	case s.byName[name] != nil || s.opening[name] != nil:
		fetched <- nil
	default:
		s.opening[name] = &opening{done: make(chan struct{})}
		s.fetching.Go(func() { fetched <- s.fetchNow(context.WithoutCancel(ctx), name) })
	}
	s.mu.Unlock()
	select {
	case err := <-fetched:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// fetchNow claims a world of the directory and opens it. It is cancelled when the worlds of this process end.
func (s *Worlds) fetchNow(ctx context.Context, name string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.untilEnd, cancel)()
	if s.running() { // at the start, the main world may have a large map or many journeys
		ctx, cancel = context.WithTimeout(ctx, openWithin)
		defer cancel()
	}
	w, err := s.claim(ctx, name)
	if err != nil {
		s.drop(name)
		return s.refused(name, err)
	}
	if !s.insert(w) {
		ctx, cancel := afterEnd(ctx)
		defer cancel()
		return errors.Join(ErrEnded, w.giveBack(ctx))
	}
	return nil
}

// afterEnd returns a context for giving back a world although ctx has ended, as it has when the worlds end.
func afterEnd(ctx context.Context) (context.Context, context.CancelFunc) {
	const giveWithin = 5 * time.Second
	return context.WithTimeout(context.WithoutCancel(ctx), giveWithin)
}

// give gives back the claim of a world that could not be opened.
func give(ctx context.Context, claim Claim) error {
	ctx, cancel := afterEnd(ctx)
	defer cancel()
	return claim.Give(ctx)
}

// refused returns the error for a world that the directory did not give, or that could not be
// opened.
func (s *Worlds) refused(name string, err error) error {
	_, elsewhere := errors.AsType[*Elsewhere](err)
	_, refused := errors.AsType[*Refusal](err)
	_, config := errors.AsType[*host.ConfigError](err)
	switch {
	case errors.Is(err, ErrUnknown):
		return s.notFound(name)
	case elsewhere, refused, config, !s.running():
		return err
	}
	s.log.Warn("a world cannot be opened", "world", name, "error", err)
	return refuse(Moving, "the database does not give the world at present; ask again")
}

// claim claims a world, and opens it. A world that cannot be opened is given back.
func (s *Worlds) claim(ctx context.Context, name string) (*World, error) {
	claim, err := s.options.Directory.Claim(ctx, name)
	if err != nil {
		return nil, err
	}
	facts, config := claim.Facts(), s.options.Config
	if name != "" {
		config = facts.Config
		err = s.makeRoom()
	}
	if err != nil {
		return nil, errors.Join(err, give(ctx, claim))
	}
	w, err := s.open(ctx, name, config, claim)
	if err != nil {
		return nil, errors.Join(err, give(ctx, claim))
	}
	w.recall(facts)
	switch name {
	case "": // for the other processes
		w.config = w.Gate.Latest().Config()
		w.touch(s.options.Now())
		err = w.keep(ctx)
	default:
		w.touch(facts.Asked)
		w.stored.Store(facts.Asked.UnixMilli())
	}
	if err != nil {
		return nil, errors.Join(err, w.close(), give(ctx, claim))
	}
	return w, nil
}

// endLostWorld ends a world that another process may have claimed. Nothing of it can be stored any
// more.
func (s *Worlds) endLostWorld(w *World) {
	s.mu.Lock()
	out := s.takeOut([]*World{w})
	s.mu.Unlock()
	if len(out) == 0 {
		return // it is ending already
	}
	s.log.Warn("another process runs this world now, so it ends here", "world", w.Name)
	if err := w.close(); err != nil {
		s.log.Warn("a world could not be ended whole", "world", w.Name, "error", err)
	}
	s.drop(w.Name)
}

// Reopen ends a world of the [Directory] that a failed change has left unusable, and gives it back:
// the next request opens it again, with its records.
func (s *Worlds) Reopen(w *World) {
	s.mu.Lock()
	var out []*World
	if w.claim != nil {
		out = s.takeOut([]*World{w})
	}
	s.mu.Unlock()
	for range out {
		go func() { // ends when the world has ended
			if err := w.giveBack(context.Background()); err != nil {
				s.log.Warn("a world that is opened again could not be ended whole", "world", w.Name, "error", err)
			}
			s.drop(w.Name)
		}()
	}
}

// watch waits until the database refuses the changes of a world, since another process has
// claimed it, and then ends the world.
func (s *Worlds) watch(w *World) {
	select {
	case <-w.Gate.Latest().Records().Fenced():
		s.endLostWorld(w)
	case <-w.closed:
	}
}

// Lapse ends the event listeners of worlds whose claims may be over.
func (s *Worlds) Lapse() {
	for _, w := range s.here() {
		if !w.Holds() {
			w.Events.dropAll("the database does not confirm that this process runs the world")
		}
	}
}

// Rest ends up to most worlds that had only event listeners for the time idle, and gives them
// back to the [Directory], so that another process can run them. Worlds without listeners are
// first. It returns how many it has ended.
func (s *Worlds) Rest(ctx context.Context, most int, idle time.Duration) (ended int) {
	s.mu.Lock()
	var quiet []*World
	for _, w := range s.listed() {
		if w.claim != nil && w.inside.Load() == w.Events.listening() && s.isUnused(w, idle) {
			quiet = append(quiet, w)
		}
	}
	slices.SortStableFunc(quiet, func(a, b *World) int { return cmp.Compare(a.Events.listening(), b.Events.listening()) })
	quiet = quiet[:min(most, len(quiet))]
	quiet = s.takeOut(quiet)
	s.mu.Unlock()
	for _, w := range quiet {
		defer s.drop(w.Name)
		if err := w.giveBack(ctx); err != nil {
			s.log.WarnContext(ctx, "a world could not be given back whole", "world", w.Name, "error", err)
		}
	}
	return len(quiet)
}
