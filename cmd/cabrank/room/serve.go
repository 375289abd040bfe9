package room

import (
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/console"
	"github.com/cabrank/cabrank/dispatch/inbound"
)

// Limits of a request, besides the limits of its rate.
const (
	headersWithin = 5 * time.Second
	requestWithin = 10 * time.Second
	answerWithin  = 20 * time.Second
	idleFor       = time.Minute
	mostHeaders   = 8 << 10 // bytes
)

// Served is a room that is being served.
type Served struct {
	*Room

	Fingerprint string // of the certificate
	Kept        error  // why the certificate was not stored; nil: it was

	server *http.Server
	code   Code
	film   Code // of the film; the zero value if there are none
	ended  func()
}

// Serve serves a room at a listener, over https, with a certificate that is stored in a folder. If the server
// fails, failed receives the error; its buffer must have room for one.
func Serve(o Options, l net.Listener, folder string, failed chan<- error) (*Served, error) {
	addresses, err := addresses(l.Addr())
	if err != nil {
		return nil, err
	}
	shown, kept, err := Certificate(folder, addresses, o.Now())
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return nil, err
	}
	s := &Served{Kept: kept, Fingerprint: fingerprint(shown.Certificate[0])}
	s.ended = sync.OnceFunc(func() { _ = s.server.Close() })
	s.Room = New(o, "https://"+net.JoinHostPort(addresses[0].String(), port), s.ended)
	if s.code, err = NewCode(s.URL()); err != nil {
		return nil, err
	}
	if film := s.filmURL(); film != "" {
		if s.film, err = NewCode(film); err != nil {
			return nil, err
		}
	}
	s.server = &http.Server{
		Handler: s.Room, ReadHeaderTimeout: headersWithin, ReadTimeout: requestWithin, WriteTimeout: answerWithin, IdleTimeout: idleFor,
		MaxHeaderBytes: mostHeaders, ConnState: inbound.LimitConns(),
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug), // phones that refuse the certificate

	}
	secured := tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{shown}, NextProtos: []string{"http/1.1"}, MinVersion: tls.VersionTLS12})
	go func() { // ends when the room does
		if err := s.server.Serve(secured); !errors.Is(err, http.ErrServerClosed) {
			failed <- err
		}
	}()
	return s, nil
}

// Code returns the QR code of the room's address.
func (s *Served) Code() Code { return s.code }

// View returns what the console shows of the room.
func (s *Served) View() console.RoomView {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over() {
		return console.RoomView{}
	}
	v := console.RoomView{Open: true, URL: s.url, Path: s.code.Path(), Side: s.code.Side(), Guests: len(s.guests), Most: s.options.Most}
	if film := s.filmURL(); film != "" {
		v.Film, v.FilmPath, v.FilmSide = film, s.film.Path(), s.film.Side()
	}
	return v
}

// fingerprint returns the SHA-256 of a certificate, as browsers show it.
func fingerprint(der []byte) string {
	sum := sha256.Sum256(der)
	var pairs []string
	for _, b := range sum {
		pairs = append(pairs, fmt.Sprintf("%02X", b))
	}
	return strings.Join(pairs, ":")
}
