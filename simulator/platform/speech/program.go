package speech

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// Limits of one run of a program.
const (
	longestRun  = 20 * time.Second
	mostOutput  = 32 << 20 // a quarter of an hour of speech at 16 kHz
	mostTrouble = 4 << 10  // of error messages
)

// atOnce limits the number of programs that run at the same time; others wait.
var atOnce = make(chan struct{}, max(2, 2*runtime.GOMAXPROCS(0)))

var errOutput = fmt.Errorf("the program has written more than %d bytes", mostOutput)

// runner is the type of run and runNow.
type runner func(ctx context.Context, words []string, input io.Reader, take func([]byte) error) error

// run is runNow, but waits while too many programs are running.
func run(ctx context.Context, words []string, input io.Reader, take func([]byte) error) error {
	select {
	case atOnce <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-atOnce }()
	return runNow(ctx, words, input, take)
}

// runNow runs a program with its input, and passes each piece of its output to take. When
// ctx is done, the program and all processes that it has started are killed.
func runNow(ctx context.Context, words []string, input io.Reader, take func([]byte) error) error {
	ctx, cancel := context.WithTimeout(ctx, longestRun)
	defer cancel()
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	alone(cmd)
	cmd.WaitDelay = time.Second
	trouble := &head{}
	out := &pipe{take: take, cancel: cancel}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = input, out, trouble
	err := cmd.Run()
	switch {
	case out.err != nil:
		return out.err
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", words[0], ctx.Err())
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return fmt.Errorf("%s: %w %s", words[0], err, strings.TrimSpace(trouble.String()))
	}
	return nil
}

// pipe passes on the output of a program. It ends the program if the output is too long
// or take fails.
type pipe struct {
	take   func([]byte) error
	cancel context.CancelFunc
	total  int
	err    error
}

func (p *pipe) Write(data []byte) (int, error) {
	p.total += len(data)
	if p.err == nil && p.total > mostOutput {
		p.err = errOutput
	}
	if p.err == nil {
		p.err = p.take(data)
	}
	if p.err != nil {
		p.cancel()
		return 0, p.err
	}
	return len(data), nil
}

// head is a writer that stores only the beginning of its input.
type head struct{ bytes.Buffer }

func (h *head) Write(data []byte) (int, error) {
	_, _ = h.Buffer.Write(data[:min(len(data), mostTrouble-h.Len())])
	return len(data), nil
}

// output returns all output of a program.
func output(ctx context.Context, words []string, input []byte) ([]byte, error) {
	var all []byte
	err := run(ctx, words, bytes.NewReader(input), func(data []byte) error { all = append(all, data...); return nil })
	return all, err
}

// words splits a command at spaces that are not in quotes, like a shell.
func words(command string) ([]string, error) {
	var words []string
	var word strings.Builder
	open, quote := false, rune(0)
	for _, r := range command {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, open = r, true
		case r == ' ' || r == '\t':
			if open {
				words = append(words, word.String())
				word.Reset()
			}
			open = false
		default:
			open = true
			word.WriteRune(r)
		}
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("the command has an open quote: %s", command)
	case open:
		words = append(words, word.String())
	}
	if len(words) == 0 {
		return nil, errors.New("the command is empty")
	}
	return words, nil
}

// fill replaces placeholders by values; used reports which ones there were.
func fill(words []string, values map[string]string) (filled []string, used map[string]bool) {
	used = map[string]bool{}
	pairs := []string{}
	for name, value := range values {
		for _, w := range words {
			used[name] = used[name] || strings.Contains(w, name)
		}
		pairs = append(pairs, name, value)
	}
	replace := strings.NewReplacer(pairs...)
	for i, w := range words {
		if i > 0 {
			w = replace.Replace(w)
		}
		filled = append(filled, w)
	}
	return filled, used
}
