package phoning

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/phones"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// lineEvent is an event of a call as --json-lines prints it.
type lineEvent struct {
	AtMs  int64          `json:"atMs"`
	Party voice.Party    `json:"party"`
	Kind  voice.LineKind `json:"kind"`
	Text  string         `json:"text"`
}

// listensEvent is the event that the platform waits for an answer, as --json-lines prints it.
type listensEvent struct {
	AtMs  int64       `json:"atMs"`
	Party voice.Party `json:"party"`
	Kind  string      `json:"kind"`
	Asks  any         `json:"asks"`  // the question
	Frame any         `json:"frame"` // what the platform has understood so far
}

// lineTalker lets a program be the caller: it prints each event as a line of JSON, and
// speaks a line of input each time the platform listens.
type lineTalker struct {
	*phone

	printed *json.Encoder
	shown   int // lines of the transcript that are printed
	told    int // listensEvents that are printed
	listens chan struct{}
	bridged chan struct{} // closed when a person is connected: the platform no longer listens
}

// print prints the new events in order.
func (t *lineTalker) print(view simapi.PhoneView) error {
	moments := view.Listens[min(t.told, len(view.Listens)):]
	for _, l := range view.Transcript {
		for len(moments) > 0 && moments[0].After <= t.shown {
			if err := t.listen(moments[0]); err != nil {
				return err
			}
			moments = moments[1:]
		}
		t.shown++
		if l.Kind == voice.LinePlay {
			continue // a tone
		}
		if l.Kind == voice.LineBridge {
			signal(t.bridged)
		}
		if err := t.printed.Encode(lineEvent{l.AtMs, l.Party, l.Kind, l.Text}); err != nil {
			return err
		}
	}
	for _, l := range moments {
		if err := t.listen(l); err != nil {
			return err
		}
	}
	return nil
}

func (t *lineTalker) listen(l phones.Listening) error {
	t.told++
	signal(t.listens)
	return t.printed.Encode(listensEvent{l.AtMs, voice.PartyPlatform, "listens", l.Asks, l.Frame})
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// talk speaks the input, a line each time the platform listens. The end of the input
// hangs up: when the platform next listens, at once if it no longer does, or after a long
// silence.
func (t *lineTalker) talk(ctx context.Context, in io.Reader) {
	lines := make(chan string)
	go func() { // ends with ctx, or with the input
		defer close(lines)
		for scan := bufio.NewScanner(in); scan.Scan(); {
			select {
			case lines <- strings.TrimSpace(scan.Text()):
			case <-ctx.Done():
				return
			}
		}
	}()
	defer t.hangUp()
	for {
		select {
		case <-t.listens:
		case <-t.bridged:
			for range lines { // further input is read and ignored
			}
			return
		case <-ctx.Done():
			return
		}
		select {
		case line, more := <-lines:
			if !more {
				return
			}
			select { // discard the signal that was sent before the answer
			case <-t.listens:
			default:
			}
			_ = t.act(ctx, typed(line)) // the call may be over
		case <-ctx.Done():
			return
		}
	}
}

// run follows the call until it is over.
func (t *lineTalker) run(ctx context.Context, in io.Reader) error {
	talking, stop := context.WithCancel(ctx)
	defer stop()
	go t.talk(talking, in) // ends with stop
	for version := -1; ; {
		view, err := t.view(ctx, t.shown, version)
		if err != nil {
			t.hangUp()
			return err
		}
		if err := t.print(view); err != nil {
			return err
		}
		if version = view.Version; over(view) {
			return nil
		}
	}
}
