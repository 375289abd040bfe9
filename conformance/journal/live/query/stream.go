package query

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/dispatch/inbound"
)

// streamBatch is how many calls are written at once.
const streamBatch = 100

// stream is GET /requests/stream, which is GET /requests?follow.
func (l *Journal) stream(w http.ResponseWriter, r *http.Request) error {
	s, _, err := l.query(r.URL.Query())
	if err != nil {
		return err
	}
	return l.streamed(w, r, s)
}

// streamed sends calls as server-sent events when they end: "request" with the call's id,
// and "gap" if calls were dropped before they could be sent. It continues after the header
// Last-Event-ID or the parameter after; without both, it sends only new calls. A slow
// listener delays nothing: it receives the calls still stored, and is disconnected if it
// reads nothing for a while.
func (l *Journal) streamed(w http.ResponseWriter, r *http.Request, s *selection) error {
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		after, err := atLeast("Last-Event-ID", last, 0)
		if err != nil {
			return err
		}
		s.after, s.first = after, true
	}
	leave, err := l.reserveSlot()
	if err != nil {
		return err
	}
	defer leave()
	all := l.Range()
	if !s.first {
		s.after = all.Last
	}
	s.after = max(s.after, all.Cleared)
	s.first, s.limit = true, streamBatch
	out := inbound.NewStream(w)
	if errors.Join(out.Comment("the journal"), out.Flush()) != nil {
		return nil
	}
	beat := time.NewTicker(inbound.Beat)
	defer beat.Stop()
	for {
		news := l.News()
		more, err := l.sendNews(r.Context(), out, s)
		if err != nil {
			return nil // the listener has disconnected
		}
		if more {
			continue
		}
		select {
		case <-news:
		case <-beat.C:
			if errors.Join(out.Comment(""), out.Flush()) != nil {
				return nil
			}
		case <-l.Released():
			return nil
		case <-r.Context().Done():
			return nil
		}
	}
}

// sendNews writes the calls that a listener has not received, at most one batch.
func (l *Journal) sendNews(ctx context.Context, out *inbound.Stream, s *selection) (more bool, err error) {
	l.Settle(s.match.deep)
	all := l.Range()
	if missed := all.First - max(s.after, all.Cleared) - 1; missed > 0 {
		s.after += missed
		if err := out.Event("", "gap", fmt.Appendf(nil, `{"missed":%d}`, missed)); err != nil {
			return false, err
		}
	}
	found, more := l.selected(ctx, s)
	for _, k := range found {
		d := l.Copy(k).Document(s.brief)
		text, err := live.Marshal(d)
		if err != nil {
			return false, err
		}
		if err := out.Event(strconv.Itoa(d.ID), "request", text); err != nil {
			return false, err
		}
		s.after = d.ID
	}
	if !more {
		s.after = max(s.after, s.upTo)
	}
	return more, out.Flush()
}
