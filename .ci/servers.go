//go:build ignore

// The processes of the servers that figures.go loads.

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// command is how to start a server on a port of the loopback interface.
type command func(port string) []string

func serve(cabrank, database string, flags ...string) command {
	return func(port string) []string {
		return append([]string{cabrank, "serve", "--listen", "127.0.0.1:" + port, "--db", database, "--log", "off"}, flags...)
	}
}

// process is a running server; nil is none.
type process struct {
	address string
	cmd     *exec.Cmd
	cancel  context.CancelFunc
	ended   chan struct{}
}

// launch starts a server and returns how long it took until it answered the request
// with 200.
func launch(ctx context.Context, c command, request []byte) (*process, time.Duration, error) {
	port, err := freePort()
	if err != nil {
		return nil, 0, err
	}
	args := c(port)
	ctx, cancel := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "NODE_ENV=production")
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	began := time.Now()
	if err := cmd.Start(); err != nil {
		cancel()
		return nil, 0, err
	}
	p := &process{"127.0.0.1:" + port, cmd, cancel, make(chan struct{})}
	go func() {
		defer close(p.ended)
		_ = cmd.Wait() // how it ends is not what is measured
	}()
	if err := p.ready(request, began.Add(startWithin)); err != nil {
		p.stop()
		return nil, 0, fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	return p, time.Since(began), nil
}

// ready waits for the first 200.
func (p *process) ready(request []byte, deadline time.Time) error {
	for {
		_, err := ask(p.address, request)
		if err == nil || time.Now().After(deadline) {
			return err
		}
		select {
		case <-p.ended:
			return fmt.Errorf("it ended by itself: %v", p.cmd.ProcessState)
		case <-time.After(500 * time.Microsecond):
		}
	}
}

func (p *process) stop() {
	if p != nil {
		p.cancel()
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

func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, errors.Join(err, l.Close())
}

// bookSubject books a journey for tomorrow, and returns a POST /status for it.
func bookSubject(ctx context.Context, p *process) ([]byte, error) {
	client, err := taxi.NewClient("http://"+p.address, taxi.ClientOptions{})
	if err != nil {
		return nil, err
	}
	const caller = "442079460123" // from the numbers kept free for drama
	journey, err := client.Book(ctx, taxi.BookRequest{
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
	if err != nil {
		return nil, fmt.Errorf("book tomorrow's journey: %w", err)
	}
	if journey.Status != taxi.Held {
		return nil, fmt.Errorf("tomorrow's journey is %s, want %s", journey.Status, taxi.Held)
	}
	user, err := client.User(ctx, taxi.UserRequest{PhoneNumber: caller})
	if err != nil {
		return nil, fmt.Errorf("look up who booked it: %w", err)
	}
	body, err := json.Marshal(taxi.JourneyRef{UserID: user.UserID, JourneyID: journey.JourneyID})
	if err != nil {
		return nil, err
	}
	return post(taxi.PathStatus, body), nil
}
