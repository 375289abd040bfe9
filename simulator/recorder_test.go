package simulator_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/fare"
)

// stormyMorning is a run of commands: bookings of all kinds, cancellations and
// edits, in a town where much goes wrong. It returns the recording.
func stormyMorning(t *testing.T, seed uint64) []byte {
	t.Helper()
	var recording bytes.Buffer
	tn := newTown(t, simulator.Options{Seed: seed, Behaviour: simulator.Stormy(), Record: &recording})
	doors := doors(simulator.Plane(simulator.SpotOf(*station.Location)))
	for i := range 120 {
		a, b, c := doors[i], doors[i*7+100], doors[i*3+300]
		switch i % 6 {
		case 0, 1, 2:
			tn.asap(i, a, b)
		case 3:
			tn.asap(i, a, b, c)
		case 4:
			tn.book(i, tn.clock.Now().Add(time.Duration(i)*time.Minute), york, b)
		case 5:
			ref := tn.book(i, tn.clock.Now().Add(time.Hour), a, b)
			tn.advance(time.Duration(i) * time.Second)
			_, err := tn.desk.Cancel(t.Context(), ref)
			require.NoError(t, err)
		}
		tn.advance(17 * time.Second)
	}
	require.NoError(t, tn.clock.UntilIdle(t.Context(), 24*time.Hour))
	require.Zero(t, tn.world.Stats().Void)
	return recording.Bytes()
}

func TestRecordingIsTheSameForTheSameSeed(t *testing.T) {
	first := stormyMorning(t, 1)
	require.Equal(t, string(first), string(stormyMorning(t, 1)))
	require.NotEqual(t, string(first), string(stormyMorning(t, 2)))
}

// The golden hash was taken on amd64 at level v1. The gate also runs this test
// with GOAMD64=v3, whose compiler fuses multiplications and additions.
func TestRecordingIsTheSameOnEveryProcessor(t *testing.T) {
	sum := sha256.Sum256(stormyMorning(t, 1))
	golden.Equal(t, "testdata/recording.sha256", hex.EncodeToString(sum[:])+"\n")
}

func TestRecordingLines(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(string(stormyMorning(t, 3))), "\n")
	require.Regexp(t, `^{"version":5,"seed":3,"start":1780300800000,"cars":40,"sweep":"\* \* \* \* \*","options":"[0-9a-f]{32}"}$`, lines[0])
	at, seq, commands := int64(0), 0, 0
	for _, line := range lines[1:] {
		if strings.Contains(line, `"command":`) {
			commands++
			require.Contains(t, line, fmt.Sprintf(`"command":%d,"op":"`, commands))
			continue
		}
		var entry struct {
			At             int64
			Seq            int
			Journey, Event string
			From           *string
			To, Vehicle    string
			Pence          int64
			Price          taxi.PriceType
		}
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		require.NoError(t, d.Decode(&entry), line)
		require.GreaterOrEqual(t, entry.At, at)
		require.Equal(t, seq+1, entry.Seq)
		require.NotEmpty(t, entry.Journey)
		require.NotEmpty(t, entry.Event)
		require.Equal(t, entry.Event == "book", entry.From == nil, line)
		require.Equal(t, entry.Price != "", entry.Pence > 0, line)
		if entry.Event == "book" || entry.Event == "finish" {
			require.Positive(t, entry.Pence, line)
		}
		at, seq = entry.At, entry.Seq
	}
	require.Equal(t, 140, commands, "120 bookings and 20 cancellations")
}

// A line tells the price wherever one is made or changed, and the last one again.
func TestPricesAreInTheRecording(t *testing.T) {
	policy := dispatch.DefaultPolicy()
	policy.LateCancelFee = 400
	tariffs := fare.Council()
	tariffs.FreeWait = time.Hour
	var recording bytes.Buffer
	tn := newTown(t, simulator.Options{
		Seed: 8, Record: &recording, Policy: &policy, Tariffs: &tariffs,
		Places: []fixtures.Place{{Address: airport, Kind: "airport"}},
	})
	directed := tn.asap(1, station, station)
	tn.edit(directed, func(r *taxi.BookRequest) { r.Dropoffs = []taxi.Address{airport} })
	tn.edit(directed, func(r *taxi.BookRequest) { r.Name = "Caller 1, again" })
	agreed := tn.until(directed, taxi.Complete).Price.Value
	late := tn.asap(2, station, york)
	most := tn.status(late).Price.Value
	tn.until(late, taxi.Arrived)
	_, err := tn.desk.Cancel(t.Context(), late)
	require.NoError(t, err)

	var told []string
	for _, m := range regexp.MustCompile(`"event":"(\w+)".*"pence":(\d+),"price":"(\w+)"}`).FindAllStringSubmatch(recording.String(), -1) {
		told = append(told, strings.Join(m[1:], " "))
	}
	require.Equal(t, []string{
		"book 360 MINIMUM",
		fmt.Sprintf("edit %.0f FIXED", agreed*100),
		fmt.Sprintf("finish %.0f FIXED", agreed*100),
		fmt.Sprintf("book %.0f MAXIMUM", most*100),
		"cancel 400 FIXED",
	}, told)
}

// flakyDisk is full after so many lines.
type flakyDisk struct{ room int }

func (d *flakyDisk) Write(line []byte) (int, error) {
	if d.room--; d.room < 0 {
		return 0, errDiskFull
	}
	return len(line), nil
}

var errDiskFull = errors.New("disk full")

func TestALostRecordingIsTold(t *testing.T) {
	for _, room := range []int{0, 1, 7} { // for nothing, for the header, for some lines
		var log bytes.Buffer
		tn := newTown(t, simulator.Options{
			Record: &flakyDisk{room}, Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn})),
		})
		for lines := 1; lines < 10; lines++ {
			require.Equal(t, tn.world.Stats().RecordingErr != nil, log.Len() > 0, "it is told when it happens")
			tn.asap(lines, station, hospital)
		}
		require.ErrorIs(t, tn.world.Stats().RecordingErr, errDiskFull)
		require.Regexp(t, `^time=\S+ level=ERROR msg="[^"]*recording[^"]*" error="disk full"\n$`, log.String(), "once")
	}
}
