package sip_test

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"net"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/sip"
	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/soundline"
)

// hummer speaks every text as two seconds of a tone.
type hummer struct{}

func (hummer) Speak(_ context.Context, _, _ string, rate int, deliver func([]int16) error) error {
	pcm := make([]int16, 2*rate)
	for i := range pcm {
		pcm[i] = int16(8000 * math.Sin(2*math.Pi*440*float64(i)/float64(rate)))
	}
	return deliver(pcm)
}

// station is an exchange that answers each call and plays it prompts until it ends.
type station struct{ *exchange }

func (s *station) Call(_ sip.Caller, leg voice.Leg) error {
	prompt := 0
	play := func() {
		prompt++
		leg.Play(voice.Prompt{ID: prompt, Kind: voice.PromptSay, Text: "hum", Audio: voice.Audio{Length: 2 * time.Second}})
	}
	leg.Start(func(ev voice.LegEvent) {
		if ev.Kind == voice.LegPromptEnded {
			play()
		}
	})
	leg.Ring()
	leg.Answer()
	play()
	return nil
}

// TestMeasureCalls has many calls up at once, each with sound both ways, and measures how late
// packets leave the platform and how long it takes to set a call up. It runs with MEASURE=1, and
// takes 40 s.
func TestMeasureCalls(t *testing.T) {
	if os.Getenv("MEASURE") == "" {
		t.Skip("MEASURE=1 measures")
	}
	const calls, aSecond, talk = 500, 50, 15 * time.Second
	h := newHouse(t, func(o *sip.Options) {
		o.Exchange = &station{o.Exchange.(*exchange)}
		line := soundline.Options{Clock: o.Clock, Speaker: hummer{}, Comfort: true, Phase: soundline.Spread(), Lost: -1}
		o.Line = func(w soundline.Wire) voice.Leg { return soundline.New(w, line) }
	})
	var setUps, late, timers figures
	for range 100 { // what the machine does to a program that only waits
		due := time.Now().Add(20 * time.Millisecond)
		time.Sleep(time.Until(due))
		timers.add(time.Since(due))
	}
	var lost atomic.Int64
	var all sync.WaitGroup
	agents := make([]*agent, calls)
	for i := range agents {
		agents[i] = newAgent(t, h.server.Address(), "+441632960555")
	}
	began := time.Now()
	steady := began.Add(calls*time.Second/aSecond + time.Second) // all are up
	for i, a := range agents {
		time.Sleep(time.Until(began.Add(time.Duration(i) * time.Second / aSecond)))
		all.Go(func() {
			from := time.Now()
			a.request("INVITE", a.offer())
			r := a.answer("INVITE", 200)
			setUps.add(time.Since(from))
			a.request("ACK", "")
			to := mediaOf(t, r.Body())
			stop := make(chan struct{})
			go a.talks(to, stop) // ends with the call
			got, expected := a.listens(steady, steady.Add(talk), &late)
			lost.Add(int64(expected - got))
			time.Sleep(time.Until(steady.Add(talk + time.Duration(i)*time.Second/aSecond)))
			close(stop)
			a.request("BYE", "")
			a.answer("BYE", 200)
		})
	}
	all.Wait()
	t.Logf("%d calls, %d a second: set-up %s; RTP lateness %s; %d packets not received; a timer before the calls %s", calls, aSecond, &setUps, &late, lost.Load(), &timers)
	require.Less(t, setUps.part(99), 20*time.Millisecond)
	require.Less(t, late.part(99), 20*time.Millisecond)
}

// talks says silence until it is stopped.
func (a *agent) talks(to *net.UDPAddr, stop chan struct{}) {
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for n := 1; ; n++ {
		select {
		case <-stop:
			return
		case <-ticker.C:
			b := append([]byte{0x80, 0, byte(n >> 8), byte(n), 0, byte(n * 160 >> 16), byte(n * 160 >> 8), byte(n * 160), 1, 2, 3, 4}, make([]byte, 160)...)
			_, _ = a.sound.WriteToUDP(b, to)
		}
	}
}

// listens notes how late each packet is, by the earliest of all: those between two times. The
// stream's own time says when it was due.
func (a *agent) listens(from, to time.Time, late *figures) (got, expected int) {
	b := make([]byte, 2048)
	var offsets []time.Duration
	var first, last uint16
	var zero uint32
	for {
		_ = a.sound.SetReadDeadline(to.Add(time.Second))
		n, err := a.sound.Read(b)
		now := time.Now()
		if err != nil || now.After(to) {
			break
		}
		if n < 12 || now.Before(from) {
			continue
		}
		seq := uint16(b[2])<<8 | uint16(b[3])
		stamp := binary.BigEndian.Uint32(b[4:])
		if len(offsets) == 0 {
			first, zero = seq, stamp
		}
		last = seq
		at := time.Duration(int32(stamp-zero)) * time.Second / 8000 // it may pass the highest number
		offsets = append(offsets, now.Sub(from)-at)
	}
	if len(offsets) == 0 {
		return 0, 1
	}
	earliest := slices.Min(offsets)
	for _, o := range offsets {
		late.add(o - earliest)
	}
	return len(offsets), int(last-first) + 1
}

// figures are durations.
type figures struct {
	mu  sync.Mutex
	all []time.Duration
}

func (f *figures) add(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = append(f.all, d)
}

// part is the duration that so many per cent do not exceed.
func (f *figures) part(percent int) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	slices.SortFunc(f.all, cmp.Compare)
	return f.all[(len(f.all)-1)*percent/100]
}

func (f *figures) String() string {
	return fmt.Sprintf("p50 %s, p99 %s, worst %s", f.part(50).Round(10*time.Microsecond), f.part(99).Round(10*time.Microsecond), f.part(100).Round(10*time.Microsecond))
}
