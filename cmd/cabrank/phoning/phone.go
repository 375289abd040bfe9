package phoning

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/phones"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// phone is an attached phone, as the terminal shows it.
type phone struct {
	*callFlags

	id  string
	out cli.Outside
}

func (p *phone) path() string { return "/sim/v1/phones/" + p.id }

// phoneAct is something to do on the phone.
type phoneAct struct {
	Answer bool   `json:"answer,omitempty"`
	Press  string `json:"press,omitempty"`
	Say    string `json:"say,omitempty"`
	Hangup bool   `json:"hangup,omitempty"`
}

func (p *phone) act(ctx context.Context, a phoneAct) error {
	return p.do(ctx, http.MethodPost, p.path(), a, nil)
}

// listen does what is typed, line by line, until there are no more lines.
func (p *phone) listen(ctx context.Context, in io.Reader) {
	lines := bufio.NewScanner(in)
	for lines.Scan() && ctx.Err() == nil {
		if err := p.act(ctx, typed(strings.TrimSpace(lines.Text()))); err != nil && ctx.Err() == nil {
			fmt.Fprintln(p.out.Stderr, "cabrank:", cli.Printable(err.Error()))
		}
	}
}

// typed says what a line means.
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

// status says what the phone does now.
func (p *phone) status(view platform.PhoneView) {
	if p.asJSON {
		return
	}
	switch view.Status {
	case phones.Waiting:
		fmt.Fprintf(p.out.Stdout, "waiting to be rung as %s\n", cli.Printable(p.as))
	case phones.Ringing:
		fmt.Fprintf(p.out.Stdout, "call %s from %s to %s rings\n", view.CallID, cli.Printable(view.From), cli.Printable(view.To))
	}
}

// line shows a line of the transcript.
func (p *phone) line(l voice.Line) {
	if p.asJSON {
		return
	}
	at := time.Duration(l.AtMs) * time.Millisecond
	fmt.Fprintf(p.out.Stdout, "%7.1fs  %-8s  %-6s  %s\n", at.Seconds(), l.Party, l.Kind, cli.Printable(l.Text))
}

// ending says how the call ended.
func (p *phone) ending(view platform.PhoneView) {
	if view.Call == nil {
		fmt.Fprintf(p.out.Stdout, "over: %s\n", cli.Printable(view.Reason))
		return
	}
	took := time.Duration(view.Call.DurationMs) * time.Millisecond
	fmt.Fprintf(p.out.Stdout, "%s after %.1fs, cause %d\n", view.Call.Status, took.Seconds(), view.Call.Cause)
}
