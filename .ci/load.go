//go:build ignore

// Load starts a cabrank and measures it as it serves: its start, and /status for 32 clients over TCP. It prints the
// figures as benchmarks do; .ci/figures runs it.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

const (
	clients     = 32
	starts      = 3                // whose median counts, since the disk's part varies
	startWithin = 30 * time.Second // and how long a connection may last
	warmFor     = time.Second
	loadFor     = 700 * time.Millisecond
)

func main() {
	if err := measure(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func measure(cabrank string) error {
	dir, err := os.MkdirTemp("", "load")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var took []time.Duration
	for i := range starts {
		p, err := launch(cabrank, filepath.Join(dir, fmt.Sprint(i)))
		if err != nil {
			return err
		}
		p.stop()
		took = append(took, p.took)
	}
	slices.Sort(took)
	fmt.Printf("BenchmarkServe/start 1 %g ms-start\n", milliseconds(took[starts/2]))
	help, err := exec.Command(cabrank, "serve", "--help").Output()
	if err != nil {
		return err
	}
	// All but the five operations is off; a commit without one of the flags does not have the feature either.
	off := slices.DeleteFunc([]string{"--no-journal", "--no-control", "--variation=0"}, func(flag string) bool {
		name, _, _ := strings.Cut(flag, "=")
		return !strings.Contains(string(help), name+" ")
	})
	return errors.Join(status("status", cabrank, filepath.Join(dir, "on")), status("status-all-else-off", cabrank, filepath.Join(dir, "off"), off...))
}

// status starts a server, sends it requests for the status of a journey that is booked for tomorrow, and prints the
// figures.
func status(name, cabrank, database string, flags ...string) error {
	p, err := launch(cabrank, database, flags...)
	if err != nil {
		return err
	}
	defer p.stop()
	request, err := bookSubject(p.address)
	if err == nil {
		_, _, err = load(p.address, request, warmFor)
	}
	if err != nil {
		return err
	}
	before := p.processorTime()
	took, elapsed, err := load(p.address, request, loadFor)
	if err != nil {
		return err
	}
	n := float64(len(took))
	fmt.Printf("BenchmarkServe/%s 1 %g answers/s %g µs-CPU %g ms-p99\n", name, n/elapsed.Seconds(),
		float64((p.processorTime()-before).Microseconds())/n, milliseconds(took[len(took)*99/100]))
	return nil
}

// process is a running server.
type process struct {
	address string
	took    time.Duration // from its start to its first answer
	cmd     *exec.Cmd
	ended   chan struct{}
}

// launch starts a server and waits until it is ready.
func launch(cabrank, database string, flags ...string) (*process, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &process{address: l.Addr().String(), ended: make(chan struct{})}
	p.cmd = exec.Command(cabrank, append([]string{"serve", "--listen", p.address, "--db", database + ".db", "--log", "off"}, flags...)...)
	began := time.Now()
	if err := errors.Join(l.Close(), p.cmd.Start()); err != nil {
		return nil, err
	}
	go func() {
		defer close(p.ended)
		_ = p.cmd.Wait() // how it ends is not what is measured
	}()
	for {
		probe, err := dial(p.address)
		if err == nil {
			err = errors.Join(probe.exchange([]byte("GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")), probe.conn.Close())
		}
		p.took = time.Since(began)
		if err == nil {
			return p, nil
		}
		select {
		case <-p.ended:
			return nil, fmt.Errorf("%s ended by itself: %v", cabrank, p.cmd.ProcessState)
		case <-time.After(500 * time.Microsecond):
		}
		if p.took > startWithin {
			p.stop()
			return nil, fmt.Errorf("%s: %w", cabrank, err)
		}
	}
}

func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-p.ended:
	case <-time.After(5 * time.Second):
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
}

// processorTime returns the processor time of the process, in steps of 10 ms.
func (p *process) processorTime() time.Duration {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid)) // one that has ended has none
	_, after, _ := strings.Cut(string(stat), ") ")                          // of the name, which may hold spaces
	const user, system, step = 11, 12, 10 * time.Millisecond
	fields := strings.Fields(after)
	if len(fields) <= system {
		return 0
	}
	u, _ := strconv.Atoi(fields[user]) // the kernel writes digits
	s, _ := strconv.Atoi(fields[system])
	return time.Duration(u+s) * step
}

// bookSubject books a journey for tomorrow, and returns a POST /status for it.
func bookSubject(address string) ([]byte, error) {
	client, err := taxi.NewClient("http://"+address, taxi.ClientOptions{})
	if err != nil {
		return nil, err
	}
	const caller = "442079460123" // from the numbers kept free for drama
	journey, err := client.Book(context.Background(), taxi.BookRequest{
		Name: "Ann Other", PhoneNumber: caller,
		Pickup: &taxi.Address{
			Address:  "Otterbridge Station, Station Road, Otterbridge, ZT1 1AA",
			Location: &taxi.Point{Longitude: 2.0978, Latitude: 54.7012},
		},
		Dropoffs: []taxi.Address{{
			Address:  "Otterbridge General Hospital, Infirmary Lane, Otterbridge, ZT3 4BD",
			Location: &taxi.Point{Longitude: 2.1113, Latitude: 54.7074},
		}},
		PickupTime: taxi.At(time.Now().Add(24 * time.Hour).Truncate(time.Second)),
	})
	if err == nil && journey.Status != taxi.Held {
		err = fmt.Errorf("it is %s, want %s", journey.Status, taxi.Held)
	}
	if err != nil {
		return nil, fmt.Errorf("book tomorrow's journey: %w", err)
	}
	user, err := client.User(context.Background(), taxi.UserRequest{PhoneNumber: caller})
	if err != nil {
		return nil, fmt.Errorf("look up who booked it: %w", err)
	}
	body, err := json.Marshal(taxi.JourneyRef{UserID: user.UserID, JourneyID: journey.JourneyID})
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		taxi.PathStatus, len(body), body), err
}

// load keeps the clients busy for a while, and returns how long each answer took, in ascending order.
func load(address string, request []byte, d time.Duration) (took []time.Duration, elapsed time.Duration, err error) {
	var wg sync.WaitGroup
	each, failed := make([][]time.Duration, clients), make([]error, clients)
	lines := make([]*line, clients)
	for i := range lines {
		if lines[i], err = dial(address); err != nil {
			return nil, 0, err
		}
		defer lines[i].conn.Close()
	}
	began := time.Now()
	for i, l := range lines {
		wg.Go(func() {
			for asked := time.Now(); failed[i] == nil && asked.Before(began.Add(d)); {
				failed[i] = l.exchange(request)
				answered := time.Now()
				each[i], asked = append(each[i], answered.Sub(asked)), answered
			}
		})
	}
	wg.Wait()
	return slices.Sorted(slices.Values(slices.Concat(each...))), time.Since(began), errors.Join(failed...)
}

// line is one keep-alive connection with as little client code as possible, so that the server is measured.
type line struct {
	conn net.Conn
	r    *bufio.Reader
}

func dial(address string) (*line, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &line{conn, bufio.NewReader(conn)}, conn.SetDeadline(time.Now().Add(startWithin))
}

// exchange sends a request and reads the response. It returns an error unless that is a 200 with a Content-Length.
func (l *line) exchange(request []byte) error {
	if _, err := l.conn.Write(request); err != nil {
		return err
	}
	status, err := l.r.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(status, []byte("HTTP/1.1 200")) {
		return fmt.Errorf("it answers %s", bytes.TrimSpace(status))
	}
	length := int64(-1)
	for {
		header, err := l.r.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(header) <= len("\r\n") {
			break
		}
		if name, value, _ := bytes.Cut(header, []byte(":")); bytes.EqualFold(name, []byte("Content-Length")) {
			if length, err = strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 64); err != nil {
				return err
			}
		}
	}
	if length < 0 {
		return errors.New("it answers without a Content-Length")
	}
	_, err = io.CopyN(io.Discard, l.r, length)
	return err
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
