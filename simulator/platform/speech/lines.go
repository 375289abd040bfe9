package speech

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Lines is a program that keeps running: it reads requests and writes responses, each a
// JSON object in one line. It is started at the first request, and again after it has
// failed. It gets one request at a time.
//
// A request to speak, and its responses. The samples in pcm are 16 bits, little endian,
// mono, in base64:
//
//	{"id":1,"say":"Where from?","voice":"en-GB-Standard-B","language":"en-GB"}
//	{"id":1,"rate":22050,"pcm":"AAAB…"}
//	{"id":1,"rate":22050,"pcm":"AQAA…"}
//	{"id":1,"done":true}
//
// A request to recognise speech, and its response. The question is that of [voice.Expected]; the hints are the
// likeliest first:
//
//	{"id":2,"hear":"AAAB…","rate":16000,"language":"en-GB","question":"pickup","hints":["Town Hall"]}
//	{"id":2,"text":"town hall","confidence":0.8,"alternatives":[{"text":"down hall","confidence":0.1}],"done":true}
//
// In place of a confidence there may be one of each word, of which the least counts:
//
//	{"id":2,"text":"town hall","words":[{"text":"town","confidence":0.9},{"text":"hall","confidence":0.4}],"done":true}
//
// The member error of a response describes an error and ends the request. A program
// that is not done after 20 s is killed. Lines that are not JSON are ignored.
type Lines struct {
	words   []string // the command, or
	address string   // the address of a running program

	mu   sync.Mutex
	id   int
	open *exchange // nil: not started
}

const (
	linesPrefix = "lines:"
	tcpPrefix   = "tcp:"
)

// NewLines returns the program for "lines:" and a command, or for "tcp:" and an address
// of this machine.
func NewLines(named string) (*Lines, error) {
	if address, ok := strings.CutPrefix(named, tcpPrefix); ok {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			return nil, fmt.Errorf("%s is not an address of this machine: what callers say stays on it", address)
		}
		return &Lines{address: address}, nil
	}
	words, err := words(strings.TrimPrefix(named, linesPrefix))
	return &Lines{words: words}, err
}

// lineRequest and lineAnswer are the lines in both directions.
type lineRequest struct {
	ID       int      `json:"id"`
	Say      string   `json:"say,omitempty"`
	Voice    string   `json:"voice,omitempty"`
	Hear     []byte   `json:"hear,omitempty"` // in base64
	Rate     int      `json:"rate,omitempty"`
	Language string   `json:"language,omitempty"`
	Question string   `json:"question,omitempty"`
	Hints    []string `json:"hints,omitempty"`
}

type lineAnswer struct {
	ID   int    `json:"id"`
	Rate int    `json:"rate"`
	PCM  string `json:"pcm"`
	Heard
	Done  bool   `json:"done"`
	Error string `json:"error"`
}

// Speak implements [Speaker].
func (l *Lines) Speak(ctx context.Context, text, name string, rate int, deliver func([]int16) error) error {
	var resample *voice.Resampler
	err := l.ask(ctx, lineRequest{Say: sayable(text), Voice: name, Language: languageOf(name)}, func(a lineAnswer) error {
		data, err := base64.StdEncoding.DecodeString(a.PCM)
		if err != nil || len(data) == 0 {
			return err
		}
		if resample == nil {
			if a.Rate < 4000 || a.Rate > 192000 {
				return fmt.Errorf("the program speaks with %d samples a second", a.Rate)
			}
			resample = voice.NewResampler(a.Rate, rate)
		}
		pcm := make([]int16, len(data)/2)
		for i := range pcm {
			pcm[i] = int16(binary.LittleEndian.Uint16(data[2*i:]))
		}
		return deliver(resample.Add(nil, pcm))
	})
	if err != nil || resample == nil {
		return err
	}
	return deliver(resample.Flush(nil))
}

// Listen implements [Listener].
func (l *Lines) Listen(ctx context.Context, pcm []int16, grammar voice.Grammar) (Heard, error) {
	heard := Heard{Confidence: usualConfidence}
	request := lineRequest{Hear: bare(pcm), Rate: ListenRate, Language: grammar.Language, Question: grammar.Question, Hints: firstHints(grammar.Hints)}
	err := l.ask(ctx, request, func(a lineAnswer) error { heard = a.bounded(); return nil })
	return heard, err
}

// Close ends the program.
func (l *Lines) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hangUp()
}

// hangUp ends the program or the connection; the lock is held.
func (l *Lines) hangUp() {
	if l.open != nil {
		l.open.close()
		l.open = nil
	}
}

// ask sends a request and passes on its responses. After an error the program is ended.
func (l *Lines) ask(ctx context.Context, request lineRequest, take func(lineAnswer) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, longestRun)
	defer cancel()
	if l.open == nil {
		open, err := l.begin(ctx)
		if err != nil {
			return err
		}
		l.open = open
	}
	l.id++
	request.ID = l.id
	stop := context.AfterFunc(ctx, l.open.close)
	defer stop()
	err := l.open.ask(request, take)
	if err != nil {
		if said := (*lineError)(nil); !errors.As(err, &said) {
			l.hangUp()
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return err
}

// begin starts the program, or connects to it.
func (l *Lines) begin(ctx context.Context) (*exchange, error) {
	if l.address != "" {
		conn, err := (&net.Dialer{Timeout: 3 * time.Second}).DialContext(ctx, "tcp", l.address)
		if err != nil {
			return nil, err
		}
		return newExchange(conn, conn, func() { _ = conn.Close() }), nil
	}
	lasting, end := context.WithCancel(context.Background()) // it outlives the first request
	cmd := exec.CommandContext(lasting, l.words[0], l.words[1:]...)
	alone(cmd)
	cmd.WaitDelay = time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		end()
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		end()
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		end()
		return nil, err
	}
	return newExchange(in, out, func() { end(); _ = cmd.Wait() }), nil
}

// exchange is a running program.
type exchange struct {
	in    io.Writer
	out   *bufio.Reader
	close func()
}

func newExchange(in io.Writer, out io.Reader, end func()) *exchange {
	return &exchange{in: in, out: bufio.NewReaderSize(out, 64<<10), close: sync.OnceFunc(end)}
}

// lineError is an error that the program reports.
type lineError struct{ what string }

func (e *lineError) Error() string { return "the program says: " + e.what }

var errSkipped = errors.New("the program has written too much")

// ask sends one request.
func (x *exchange) ask(request lineRequest, take func(lineAnswer) error) error {
	line, err := json.Marshal(request)
	if err != nil {
		return err
	}
	if _, err := x.in.Write(append(line, '\n')); err != nil {
		return err
	}
	for total := 0; total <= mostOutput; {
		line, err := x.line(mostOutput - total)
		if err != nil {
			return err
		}
		total += len(line) + 1
		var a lineAnswer
		a.Confidence = usualConfidence
		if json.Unmarshal(line, &a) != nil || a.ID != request.ID {
			continue
		}
		if a.Error != "" {
			return &lineError{a.Error}
		}
		if err := take(a); err != nil {
			return err
		}
		if a.Done {
			return nil
		}
	}
	return errSkipped
}

// line reads a line of limited length.
func (x *exchange) line(most int) ([]byte, error) {
	var whole []byte
	for {
		part, err := x.out.ReadSlice('\n')
		whole = append(whole, part...)
		switch {
		case len(whole) > most:
			return nil, errSkipped
		case err == nil:
			return whole, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}
