//go:build ignore

// The load on a server for figures.go, and its measurements.

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"
)

const (
	clients     = 32
	startWithin = 30 * time.Second // and how long a connection may last
)

// round is the result of one period of load.
type round struct {
	answers int
	rate    float64 // answers a second
	p99     float64 // ms
}

// load keeps the clients busy for a while.
func load(ctx context.Context, address string, request []byte, d time.Duration) (round, error) {
	lines := make([]*line, clients)
	for i := range lines {
		l, err := dial(address)
		if err != nil {
			return round{}, err
		}
		defer l.close()
		lines[i] = l
	}
	took, failed := make([][]time.Duration, clients), make([]error, clients)
	var wg sync.WaitGroup
	began := time.Now()
	for i, l := range lines {
		wg.Go(func() { took[i], failed[i] = l.keepAsking(ctx, request, began.Add(d)) })
	}
	wg.Wait()
	elapsed, all := time.Since(began), slices.Sorted(slices.Values(slices.Concat(took...)))
	if err := errors.Join(append(failed, ctx.Err())...); err != nil {
		return round{}, err
	}
	return round{
		answers: len(all),
		rate:    float64(len(all)) / elapsed.Seconds(),
		p99:     milliseconds(all[len(all)*99/100]),
	}, nil
}

// line is one keep-alive connection with as little client as possible, so that what
// is measured is the server.
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

func (l *line) close() { _ = l.conn.Close() }

// keepAsking returns how long each answer took.
func (l *line) keepAsking(ctx context.Context, request []byte, end time.Time) ([]time.Duration, error) {
	took := make([]time.Duration, 0, 1<<14)
	for asked := time.Now(); asked.Before(end) && ctx.Err() == nil; {
		if err := l.exchange(request, io.Discard); err != nil {
			return nil, err
		}
		answered := time.Now()
		took = append(took, answered.Sub(asked))
		asked = answered
	}
	return took, nil
}

// exchange sends the request and copies the body of the answer, which must be a 200
// that tells its length.
func (l *line) exchange(request []byte, body io.Writer) error {
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
	_, err = io.CopyN(body, l.r, length)
	return err
}

// ask asks once, on a connection of its own.
func ask(address string, request []byte) ([]byte, error) {
	l, err := dial(address)
	if err != nil {
		return nil, err
	}
	defer l.close()
	var body bytes.Buffer
	err = l.exchange(request, &body)
	return body.Bytes(), err
}

func get(path string) []byte {
	return fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", path)
}

func post(path string, body []byte) []byte {
	return append(fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
		path, len(body)), body...)
}

func median(x []float64) float64 { return slices.Sorted(slices.Values(x))[len(x)/2] }

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
