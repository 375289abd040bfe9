package simulator_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

// replay repeats a recording and returns where it differs, and what it wrote.
func replay(t *testing.T, text []byte, o simulator.Options) (*simulator.Difference, string, error) {
	t.Helper()
	j, err := simulator.ReadRecording(bytes.NewReader(text))
	require.NoError(t, err)
	var out bytes.Buffer
	d, err := j.Replay(t.Context(), store.Memory(), o, &out)
	return d, out.String(), err
}

func requireSameAgain(t *testing.T, text []byte, o simulator.Options) {
	t.Helper()
	d, out, err := replay(t, text, o)
	require.NoError(t, err)
	require.Nil(t, d)
	require.Equal(t, string(text), out)
}

func TestAReplayIsTheSameByteForByte(t *testing.T) {
	text := stormyMorning(t, 4)
	requireSameAgain(t, text, simulator.Options{Behaviour: simulator.Stormy()})
	j, err := simulator.ReadRecording(bytes.NewReader(text))
	require.NoError(t, err)
	require.Equal(t, 140, j.Commands)
	require.Greater(t, j.Transitions, 500)
	require.Equal(t, uint64(4), j.Seed)
	require.Equal(t, simulator.Epoch, j.Start)
}

// TestAChangedFareIsFound changes one price of a recording.
func TestAChangedFareIsFound(t *testing.T) {
	text := stormyMorning(t, 4)
	require.Greater(t, bytes.Count(text, []byte(`,"pence":`)), 200)
	d, _, err := replay(t, bytes.Replace(text, []byte(`"pence":360`), []byte(`"pence":361`), 1), simulator.Options{Behaviour: simulator.Stormy()})
	require.NoError(t, err)
	require.NotNil(t, d)
}

// TestEveryCommandIsReplayed records each kind of command and each kind of
// answer: refusals, repeats, odd data, a closed office, a caller in a hurry.
func TestEveryCommandIsReplayed(t *testing.T) {
	policy := dispatch.DefaultPolicy()
	policy.CreateUnknown = true
	var recording bytes.Buffer
	wall := simulator.Epoch
	o := simulator.Options{
		Seed: 5, Cars: 20, Record: &recording, Policy: &policy, Behaviour: simulator.Typical(),
		Wall: func() time.Time { return wall }, Start: simulator.Epoch, Recipe: json.RawMessage(`{"cars":"20"}`),
	}
	tn := newTown(t, o)
	require.NoError(t, tn.world.Populate(t.Context(), fixtures.People()))
	ref := tn.book(1, simulator.Epoch.Add(time.Hour), station, hospital)
	r := request(1, simulator.Epoch.Add(2*time.Hour), station, harbour)
	r.JourneyID, r.Data = &ref.JourneyID, json.RawMessage(`{"note": "<\u2028> & \"blue\""}`)
	for range 2 {
		_, err := tn.desk.Book(t.Context(), r)
		require.NoError(t, err)
	}
	tn.advance(30 * time.Minute)
	tn.asap(2, york, hospital)
	hurry := request(3, simulator.Epoch, station, hospital) // now, by the wall
	_, err := tn.desk.Book(t.Context(), hurry)
	require.NoError(t, err)
	wall = wall.Add(time.Hour)
	_, err = tn.desk.Book(t.Context(), request(4, simulator.Epoch, station, hospital))
	require.ErrorIs(t, err, &taxi.Problem{Code: taxi.CodePickupInPast})
	_, err = tn.desk.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460999"})
	require.NoError(t, err)
	tn.desk.SetSystem(taxi.ConfigResponse{Status: taxi.SystemClosed, Data: &taxi.Settings{Options: []taxi.Option{taxi.OptionETA}}})
	_, err = tn.desk.Book(t.Context(), request(5, tn.clock.Now(), station, hospital))
	require.ErrorIs(t, err, &taxi.Problem{Code: taxi.CodeServiceClosed})
	_, err = tn.desk.Cancel(t.Context(), ref)
	require.NoError(t, err)
	tn.advance(time.Hour)

	o.Record = nil
	requireSameAgain(t, recording.Bytes(), o)
	for _, want := range []string{
		`"recipe":{"cars":"20"}`, `"op":"people"`, `"op":"admit"`, `"op":"system"`, `"op":"cancel"`, `"wall":1780300800000`,
		`"refused":"service-closed"`, `"refused":"pickup-in-past"`, `"data":{"note":"<`,
	} {
		require.Contains(t, recording.String(), want)
	}
}

// brokenDisk refuses changes while it is full.
type brokenDisk struct {
	*store.Store
	full bool
}

func (d *brokenDisk) Apply(fn func(*store.Tx) error) (store.Ticket, error) {
	if d.full {
		return store.Ticket{}, fmt.Errorf("%w: no space left", store.ErrUnavailable)
	}
	return d.Store.Apply(fn)
}

func (d *brokenDisk) Prune(ctx context.Context, before store.Before) (int, error) {
	if d.full {
		return 0, store.ErrUnavailable
	}
	return d.Store.Prune(ctx, before)
}

func TestAFullDiskIsReplayed(t *testing.T) {
	var recording bytes.Buffer
	disk := &brokenDisk{Store: store.Memory()}
	w, err := simulator.New(t.Context(), disk, simulator.Options{Seed: 6, Record: &recording})
	require.NoError(t, err)
	for i := range 30 {
		disk.full = i%3 == 1
		_, err := w.Service().Book(t.Context(), request(i, w.Clock().Now(), station, hospital))
		require.Equal(t, disk.full, errors.Is(err, store.ErrUnavailable))
		require.NoError(t, w.Clock().Advance(t.Context(), time.Minute))
	}
	disk.full = true
	require.NoError(t, w.Clock().Advance(t.Context(), 4*time.Hour))
	require.Greater(t, strings.Count(recording.String(), `"refused":"storage-unavailable"}`), 20)
	requireSameAgain(t, recording.Bytes(), simulator.Options{})
}

func TestADifferenceIsShown(t *testing.T) {
	text := string(stormyMorning(t, 4))
	o := simulator.Options{Behaviour: simulator.Stormy()}
	changed := strings.Replace(text, `"event":"arrive"`, `"event":"arrived"`, 1)
	d, _, err := replay(t, []byte(changed), o)
	require.NoError(t, err)
	require.Contains(t, d.Was, `"event":"arrived"`)
	require.Contains(t, d.Is, `"event":"arrive"`)
	require.Equal(t, strings.Split(changed, "\n")[d.Line-1], d.Was)

	last := strings.LastIndex(strings.TrimSpace(text), "\n") + 1
	d, _, err = replay(t, []byte(text[:last]), o)
	require.NoError(t, err)
	require.Nil(t, d, "a run may be stopped anywhere")

	j, err := simulator.ReadRecording(strings.NewReader(text))
	require.NoError(t, err)
	more := regexp.MustCompile(`"seq":\d+`).ReplaceAllString(text[last:], fmt.Sprintf(`"seq":%d`, j.Transitions+1))
	d, _, err = replay(t, []byte(text+more), o)
	require.NoError(t, err)
	require.NotEmpty(t, d.Was)
	require.Empty(t, d.Is)
}

func TestAReplayNeedsTheSameWorld(t *testing.T) {
	text := stormyMorning(t, 4)
	_, _, err := replay(t, text, simulator.Options{Behaviour: simulator.Calm()})
	require.ErrorIs(t, err, simulator.ErrOptions)
	_, _, err = replay(t, text, simulator.Options{Behaviour: simulator.Stormy(), Assigner: simulator.Nearest{}})
	require.ErrorIs(t, err, simulator.ErrOptions)
	centre := taxi.Point{Longitude: 2.2, Latitude: 54.70}
	_, _, err = replay(t, text, simulator.Options{Behaviour: simulator.Stormy(), Centre: centre})
	require.ErrorIs(t, err, simulator.ErrOptions)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	j, err := simulator.ReadRecording(bytes.NewReader(text))
	require.NoError(t, err)
	_, err = j.Replay(ctx, store.Memory(), simulator.Options{Behaviour: simulator.Stormy()}, nil)
	require.ErrorIs(t, err, context.Canceled)
}

func TestAResumedRunCannotBeReplayed(t *testing.T) {
	records := store.Memory()
	tn := openTown(t, records, simulator.Options{})
	require.NoError(t, tn.world.Populate(t.Context(), fixtures.People()[:1]))
	for range 2 { // with users only, and with a journey
		var recording bytes.Buffer
		tn = openTown(t, records, simulator.Options{Record: &recording})
		tn.asap(1, station, hospital)
		_, _, err := replay(t, recording.Bytes(), simulator.Options{})
		require.ErrorIs(t, err, simulator.ErrResumed)
	}
}

func TestRecordingsThatAreNone(t *testing.T) {
	good := string(stormyMorning(t, 4))
	lines := strings.SplitAfter(good, "\n")
	for want, text := range map[string]string{
		"it is empty":                   "",
		"line 1 is cut off":             strings.TrimSuffix(lines[0], "\n"),
		"line 3 is cut off":             lines[0] + lines[1] + lines[2][:10],
		"does not begin as a recording": `{"seed":1}` + "\n",
		"line 1: it does not begin":     "GET / HTTP/1.1\n",
		"a newer cabrank wrote version": strings.Replace(good, `"version":5`, `"version":6`, 1),
		"record the run again":          strings.Replace(good, `"version":5`, `"version":4`, 1),
		"change 2 comes where 1":        lines[0] + lines[3],
		"line 2: it is not a line":      lines[0] + "\n",
		"neither a change nor":          lines[0] + "{\"at\":1780300800000}\n",
		"time runs back":                lines[0] + `{"at":7,"seq":1}` + "\n",
		"command fly: it is not known":  lines[0] + `{"at":1780300800000,"command":1,"op":"fly","request":{}}` + "\n",
		"unknown field":                 lines[0] + `{"at":1780300800000,"command":1,"op":"book","with":1,"request":{}}` + "\n",
		"command book: json":            lines[0] + `{"at":1780300800000,"command":1,"op":"book","request":[]}` + "\n",
		"it is no command: encoding":    lines[0] + `{"at":1780300800000,"command":1,"op":"book","hash":"12","request":[]}` + "\n",
	} {
		_, err := simulator.ReadRecording(strings.NewReader(text))
		require.ErrorContains(t, err, "recording: ", want)
		require.ErrorContains(t, err, want)
	}
}

// FuzzReadRecording reads anything, and repeats what it takes for a recording.
func FuzzReadRecording(f *testing.F) {
	var recording bytes.Buffer
	w, err := simulator.New(f.Context(), store.Memory(), simulator.Options{Cars: 2, Record: &recording})
	require.NoError(f, err)
	r := request(1, simulator.Epoch, station, hospital)
	j, err := w.Service().Book(f.Context(), r)
	require.NoError(f, err)
	require.NoError(f, w.Clock().UntilStatus(f.Context(), j.JourneyID, taxi.POB, time.Hour))
	f.Add(recording.Bytes())
	f.Add([]byte(strings.Replace(recording.String(), `"op":"book"`, `"op":"cancel"`, 1)))
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		j, err := simulator.ReadRecording(bytes.NewReader(text))
		if err != nil {
			return
		}
		if j.Cars > 10 || j.Start.Before(simulator.Epoch) || j.Start.After(simulator.Epoch.Add(time.Hour)) {
			return // such a world may be had, at a price
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		_, _ = j.Replay(ctx, store.Memory(), simulator.Options{}, nil) // and ends
	})
}

// hoarder never gets to deleting what is forgotten.
type hoarder struct{ *store.Store }

func (hoarder) Prune(context.Context, store.Before) (int, error) { return 0, nil }

// TestWhenThingsAreDeletedChangesNothing records a town that forgets within a day, on
// a disk that is never cleared, and repeats it on one that is.
func TestWhenThingsAreDeletedChangesNothing(t *testing.T) {
	var recording bytes.Buffer
	policy := dispatch.DefaultPolicy()
	policy.Retention, policy.KeepReplies = time.Hour, time.Hour
	demand, err := simulator.ParseDemand("quiet")
	require.NoError(t, err)
	options := simulator.Options{Seed: 6, Policy: &policy, Demand: demand}
	recorded := options
	recorded.Record = &recording
	kept := store.Memory()
	w, err := simulator.New(t.Context(), hoarder{kept}, recorded)
	require.NoError(t, err)
	require.NoError(t, w.Clock().Advance(t.Context(), 3*24*time.Hour))
	rec, err := simulator.ReadRecording(bytes.NewReader(recording.Bytes()))
	require.NoError(t, err)
	cleared := store.Memory()
	difference, err := rec.Replay(t.Context(), cleared, options, nil)
	require.NoError(t, err)
	require.Nil(t, difference)
	all, err := kept.Users(t.Context())
	require.NoError(t, err)
	left, err := cleared.Users(t.Context())
	require.NoError(t, err)
	require.Less(t, len(left), len(all)*9/10)
}
