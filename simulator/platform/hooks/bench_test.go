package hooks_test

import (
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/access"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/hooks"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// wall is the real clock.
type wall struct{}

func (wall) Now() time.Time { return time.Now() }

func (wall) AfterFunc(d time.Duration, f func()) voice.Timer { return time.AfterFunc(d, f) }

func (wall) Go(f func()) { go f() }

// BenchmarkDeliveries brings events of many calls to one receiver on this
// machine, each kept on disk before and after. The goal is 5,000 a second.
func BenchmarkDeliveries(b *testing.B) {
	var got sync.WaitGroup
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		got.Done()
	}))
	defer server.Close()
	ctx := context.Background()
	kept, err := records.Open(ctx, filepath.Join(b.TempDir(), "p.db"))
	require.NoError(b, err)
	require.NoError(b, kept.Write(ctx, func(tx *records.Tx) error {
		if err := kept.AddOrganisation(ctx, tx, api.Organisation{ID: "o"}); err != nil {
			return err
		}
		if err := kept.PutAccount(ctx, tx, records.Account{Account: api.Account{ID: "a"}, Organisation: "o"}); err != nil {
			return err
		}
		return kept.Hooks.Put(ctx, tx, "a", "h", records.Hook{Hook: api.Hook{
			ID: "h", App: api.AppEvent, URL: server.URL, Secret: "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz",
		}})
	}))
	d := hooks.NewDeliverer(hooks.DeliveryOptions{
		Records: kept, Client: hooks.NewClient(time.Now, true), Clock: wall{}, Schedule: hooks.Normal,
		Chance: access.NewChance(rand.NewChaCha8([32]byte{})),
	})
	body := make([]byte, 600)
	const most = 5000 // waiting at a time
	for i := 0; b.Loop(); i++ {
		if i%most == 0 {
			got.Wait()
		}
		got.Add(1)
		d.Publish(hooks.Event{Account: "a", Call: strconv.Itoa(i % 500), Type: "call.test", Body: body})
	}
	got.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "deliveries/s")
	require.NoError(b, d.Close())
	require.NoError(b, kept.Close())
}
