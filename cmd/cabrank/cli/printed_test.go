package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// say runs a command that prints texts one after the other, and returns what comes of it.
func say(t *testing.T, colour string, print func(w io.Writer)) string {
	t.Helper()
	var out bytes.Buffer
	code := cli.Run(t.Context(), []string{"say", "--color", colour}, cli.Outside{Stdout: &out, Stderr: io.Discard}, func(out cli.Outside) []cli.Group {
		return []cli.Group{{Title: "saying", Commands: []*cobra.Command{{
			Use: "say", RunE: func(*cobra.Command, []string) error {
				print(out.Stdout)
				return nil
			},
		}}}}
	})
	require.Equal(t, cli.ExitOK, code)
	return out.String()
}

func TestCommandOutputHasNoControlCharacters(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain\ttext\n":               "plain\ttext\n",
		"Zoë 🚕 👩\u200d👦 ليلى\r\n":     "Zoë 🚕 👩\u200d👦 ليلى\r\n",
		"\x1b]0;p\a\x1b[2J":           "\ufffd]0;p\ufffd\ufffd[2J",
		"\x1b[8mhidden":               "\ufffd[8mhidden",
		"a\u009bb\u202ec\u2028d\x7fe": "a\ufffdb\ufffdc\ufffdd\ufffde",
		"over\rwritten":               "over\ufffdwritten",
		"half \xc3":                   "half \ufffd",
		"wrong \xff byte":             "wrong \ufffd byte",
	} {
		for _, colour := range []string{"never", "always"} {
			require.Equal(t, want, say(t, colour, func(w io.Writer) { fmt.Fprint(w, text) }), "%q", text)
			require.Equal(t, want, say(t, colour, func(w io.Writer) {
				for i := range len(text) {
					fmt.Fprint(w, text[i:i+1])
				}
			}), "%q byte by byte", text)
		}
	}
}

// The program's own colour codes are printed when colours are on, even if a code is split between two writes.
func TestOwnColoursSurviveOutputFiltering(t *testing.T) {
	t.Parallel()
	red := cli.Paint(true, cli.Red, "FAIL")
	for i := range red {
		split := func(w io.Writer) { fmt.Fprint(w, red[:i]); fmt.Fprint(w, red[i:]) }
		require.Equal(t, red, say(t, "always", split))
		require.NotContains(t, say(t, "never", split), "\x1b")
	}
	require.Equal(t, "\x1b[1A", say(t, "never", func(w io.Writer) { fmt.Fprint(cli.Raw(w), "\x1b[1A") }), "what the program itself means")
}

func TestJSONOutputEscapesUnprintables(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, cli.PrintJSONLine(&out, map[string]string{"name": "a\u009b\u202e\U000E0001 Zoë & <b>"}))
	require.Equal(t, `{"name":"a\u009b\u202e\udb40\udc01 Zoë & <b>"}`+"\n", out.String())
}

func TestCheckAddressExplainsInvalidURLs(t *testing.T) {
	for address, want := range map[string]string{
		"http://127.0.0.1:9600": "", "https://dispatch.example/taxi": "", "http://[::1]:8080": "",
		"127.0.0.1:9600":     `--url "127.0.0.1:9600" is not an address; want http://127.0.0.1:9600, or https://`,
		"localhost:9600":     `--url "localhost:9600" is not an address; want http://localhost:9600, or https://`,
		"dispatch/taxi":      `--url "dispatch/taxi" is not an address; want http://dispatch/taxi, or https://`,
		"":                   `--url "" is not an address; want http://host/path, or https://`,
		"ftp://host":         `--url "ftp://host" is not an address; want http://host/path, or https://`,
		"http://":            `--url "http://" is not an address; want http://host/path, or https://`,
		"ann:secret@host:80": `--url is not an address; want http://host/path or https://host/path`,
	} {
		err := cli.CheckAddress("--url", address)
		if want == "" {
			require.NoError(t, err, address)
			continue
		}
		require.EqualError(t, err, want)
	}
}

// TestTwoSignalsAtOnceCountAsOne checks that signals less than a second after the first, as timeout(1) sends them,
// count as one, and that a later one ends the command at once.
func TestTwoSignalsAtOnceCountAsOne(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 11, 22, 6, 0, 0, 0, time.UTC)
	var passed atomic.Int64
	asked, ended, signals := make(chan struct{}), make(chan struct{}), make(chan os.Signal)
	now := func() time.Time {
		at := began.Add(time.Duration(passed.Load()))
		asked <- struct{}{}
		return at
	}
	ctx := cli.Interruptible(t.Context(), signals, now, func() { close(ended) })
	require.NoError(t, ctx.Err())
	for _, s := range []struct {
		after time.Duration
		ends  bool
	}{{0, false}, {3 * time.Millisecond, false}, {999 * time.Millisecond, false}, {time.Second, true}} {
		passed.Store(int64(s.after))
		signals <- syscall.SIGTERM
		<-asked
		<-ctx.Done()
		if s.ends {
			<-ended
			continue
		}
		select {
		case <-ended:
			t.Fatalf("a signal %s after the first ends it", s.after)
		default:
		}
	}
	close(signals)
}

// TestClosedSignalChannelForcesNoExit closes the channel of signals before any has arrived: the context ends, and the
// exit function is not called.
func TestClosedSignalChannelForcesNoExit(t *testing.T) {
	t.Parallel()
	signals := make(chan os.Signal)
	ctx := cli.Interruptible(t.Context(), signals, time.Now, func() { t.Error("ended") })
	require.NoError(t, ctx.Err())
	close(signals)
	<-ctx.Done()
}
