package live

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

const (
	streamBatch = 100              // calls written at once
	streamBeat  = 15 * time.Second // between two signs of life
	streamTake  = 10 * time.Second // in which a listener has to take what is written
)

// stream is GET /requests/stream, which is GET /requests?follow.
func (l *Journal) stream(w http.ResponseWriter, r *http.Request) error {
	s, _, err := l.query(r.URL.Query())
	if err != nil {
		return err
	}
	return l.streamed(w, r, s)
}

// streamed tells calls as server-sent events as they end: "request", whose id is that of
// the call, and "gap" when calls were gone before they could be told. It goes on after
// the header Last-Event-ID, or the parameter after; with neither it tells what comes from
// now on. A listener holds nothing up: it is told what is kept once it listens again, and
// is left when it takes nothing for a while.
func (l *Journal) streamed(w http.ResponseWriter, r *http.Request, s *selection) error {
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		after, err := atLeast("Last-Event-ID", last, 0)
		if err != nil {
			return err
		}
		s.after, s.first = after, true
	}
	leave, err := l.takePlace()
	if err != nil {
		return err
	}
	defer leave()
	l.mu.Lock()
	if !s.first {
		s.after = l.last
	}
	s.after = max(s.after, l.cleared)
	l.mu.Unlock()
	s.first, s.limit = true, streamBatch
	l.takeLong(w, streamTake)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	out := &events{w: w, control: http.NewResponseController(w), now: l.opts.Now}
	if out.send(": the journal\n\n") != nil {
		return nil
	}
	beat := time.NewTicker(streamBeat)
	defer beat.Stop()
	for {
		l.mu.Lock()
		news := l.heard()
		l.mu.Unlock()
		more, err := l.tellNews(r.Context(), out, s)
		if err != nil {
			return nil // the listener has gone
		}
		if more {
			continue
		}
		select {
		case <-news:
		case <-beat.C:
			if out.send(": \n\n") != nil {
				return nil
			}
		case <-l.released:
			return nil
		case <-r.Context().Done():
			return nil
		}
	}
}

// tellNews writes the calls that a listener has not been told of, at most a batch.
func (l *Journal) tellNews(ctx context.Context, out *events, s *selection) (more bool, err error) {
	l.ready(s.match.deep)
	l.mu.Lock()
	missed := 0
	if from := max(s.after, l.cleared); len(l.kept) > 0 && l.kept[0].x.ID > from+1 {
		missed = l.kept[0].x.ID - from - 1
	}
	l.mu.Unlock()
	if missed > 0 {
		s.after += missed
		if err := out.send(fmt.Sprintf("event: gap\ndata: {\"missed\":%d}\n\n", missed)); err != nil {
			return false, err
		}
	}
	found, more := l.selected(ctx, s)
	for _, k := range found {
		l.mu.Lock()
		d := k.document(s.brief)
		l.mu.Unlock()
		text, err := write(d)
		if err != nil {
			return false, err
		}
		if err := out.send("id: " + strconv.Itoa(d.ID) + "\nevent: request\ndata: " + string(text) + "\n\n"); err != nil {
			return false, err
		}
		s.after = d.ID
	}
	if !more {
		s.after = max(s.after, s.upTo)
	}
	return more, nil
}

// events writes server-sent events to a listener who takes them in time.
type events struct {
	w       http.ResponseWriter
	control *http.ResponseController
	now     func() time.Time
}

func (e *events) send(text string) error {
	_ = e.control.SetWriteDeadline(e.now().Add(streamTake)) // where the server knows of such
	if _, err := e.w.Write([]byte(text)); err != nil {
		return fmt.Errorf("listener: %w", err)
	}
	if err := e.control.Flush(); err != nil {
		return fmt.Errorf("listener: %w", err)
	}
	return nil
}
