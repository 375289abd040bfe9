package phoning

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/platform/phones"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// phone is a simulated phone on a platform, which the terminal shows and controls.
type phone struct {
	*callFlags

	id    string
	out   cli.Outside
	named bool // the call has been printed

	mu      sync.Mutex
	silence *time.Timer // runs when there is no more input
}

func (p *phone) path() string { return "/sim/v1/phones/" + p.id }

// phoneAct is an action on the phone.
type phoneAct struct {
	Answer bool   `json:"answer,omitempty"`
	Press  string `json:"press,omitempty"`
	Say    string `json:"say,omitempty"`
	Hangup bool   `json:"hangup,omitempty"`
}

func (p *phone) act(ctx context.Context, a phoneAct) error {
	return p.do(ctx, http.MethodPost, p.path(), a, nil)
}

// listen performs the action of each line of input until the input ends.
func (p *phone) listen(ctx context.Context, in io.Reader) {
	lines := bufio.NewScanner(in)
	for lines.Scan() && ctx.Err() == nil {
		if err := p.act(ctx, typed(strings.TrimSpace(lines.Text()))); err != nil && ctx.Err() == nil {
			fmt.Fprintln(p.out.Stderr, "cabrank:", cli.Printable(err.Error()))
		}
	}
}

// waitForSilence hangs up after a time without speech. The input has ended, so a call
// that waits for its caller would never end.
func (p *phone) waitForSilence(ctx context.Context) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.silence = time.AfterFunc(p.patience, func() {
		if ctx.Err() != nil {
			return
		}
		fmt.Fprintf(p.out.Stderr, "cabrank: no input and no speech for %s: hanging up\n", p.patience)
		_ = p.act(ctx, phoneAct{Hangup: true}) // the call may be over
	})
}

// heard restarts the silence timer.
func (p *phone) heard() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.silence != nil {
		p.silence.Reset(p.patience)
	}
}

// typed returns the action on a phone that a line of input means.
func typed(line string) phoneAct {
	switch {
	case line == "" || strings.EqualFold(line, "answer"):
		return phoneAct{Answer: true}
	case strings.EqualFold(line, "hangup"):
		return phoneAct{Hangup: true}
	case strings.Trim(line, "0123456789*#") == "":
		return phoneAct{Press: line}
	default:
		return phoneAct{Say: line}
	}
}

// status prints the state of the phone when it changes.
func (p *phone) status(view simapi.PhoneView) {
	if p.asJSON {
		return
	}
	if view.Status == phones.Waiting {
		fmt.Fprintf(p.out.Stdout, "waiting to be rung as %s\n", cli.Printable(p.as))
	}
	if view.CallID != "" && !p.named { // it may have been answered already
		p.named = true
		fmt.Fprintf(p.out.Stdout, "call %s from %s to %s\n", view.CallID, cli.Printable(cmp.Or(view.From, "a withheld number")), cli.Printable(view.To))
	}
}

// line prints a line of the transcript.
func (p *phone) line(l voice.Line) {
	p.heard()
	if p.asJSON {
		return
	}
	at := time.Duration(l.AtMs) * time.Millisecond
	fmt.Fprintf(p.out.Stdout, "%7.1fs  %-8s  %-6s  %s\n", at.Seconds(), l.Party, l.Kind, cli.Printable(l.Text))
}

// ending prints how the call ended.
func (p *phone) ending(view simapi.PhoneView) {
	if view.Call == nil {
		fmt.Fprintf(p.out.Stdout, "over: %s\n", cli.Printable(view.Reason))
		return
	}
	took := time.Duration(view.Call.DurationMs) * time.Millisecond
	fmt.Fprintf(p.out.Stdout, "%s after %.1fs, cause %d\n", view.Call.Status, took.Seconds(), view.Call.Cause)
}
