package platform_test

import (
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/access"
	"github.com/cabrank/cabrank/simulator/platform/api"
)

// BenchmarkReads reads an account over real HTTP and, by turns with it, a bare gin
// handler that sends the same bytes: so both have the same share of a machine that
// others use too. The goal is a ratio of 0.6: 100 reads in the time of 60 bare ones.
func BenchmarkReads(b *testing.B) {
	from := template()
	account := from.credentials.Accounts[0]
	body, err := json.Marshal(account.Account)
	require.NoError(b, err)
	gin.SetMode(gin.ReleaseMode)
	bare := gin.New()
	bare.GET("/api/v1/account/:account", func(c *gin.Context) { c.Data(http.StatusOK, "application/json", body) })
	var took [2]atomic.Int64
	var servers [2]*httptest.Server
	for i, handler := range []http.Handler{bare, from.handler} {
		servers[i] = httptest.NewServer(handler)
		defer servers[i].Close()
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
	defer client.CloseIdleConnections()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			for i, server := range servers {
				began := time.Now()
				req, _ := http.NewRequestWithContext(b.Context(), http.MethodGet, server.URL+"/api/v1/account/"+account.ID, nil)
				req.Header.Set("Authorization", "Bearer "+from.tokens["admin"])
				resp, err := client.Do(req)
				if err != nil || resp.StatusCode != http.StatusOK {
					b.Error(err, resp)
					return
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
				took[i].Add(int64(time.Since(began)))
			}
		}
	})
	b.ReportMetric(float64(took[0].Load())/float64(b.N), "ns/bare")
	b.ReportMetric(float64(took[1].Load())/float64(b.N), "ns/read")
	b.ReportMetric(float64(took[0].Load())/float64(took[1].Load()), "ratio")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkHandlers is the same without a network: what the handlers themselves
// take.
func BenchmarkHandlers(b *testing.B) {
	from := template()
	req := httptest.NewRequest(http.MethodGet, "/api/v1/account/"+from.credentials.Accounts[0].ID, nil)
	req.Header.Set("Authorization", "Bearer "+from.tokens["admin"])
	b.ReportAllocs()
	for b.Loop() {
		w := httptest.NewRecorder()
		from.handler.ServeHTTP(w, req)
		if w.Code != http.StatusOK {
			b.Fatal(w.Code)
		}
	}
}

// BenchmarkTokens verifies tokens: one that is new each time, and one that was
// seen before. The goal is 60 µs.
func BenchmarkTokens(b *testing.B) {
	from := template()
	issuer := access.NewIssuer(access.TokenOptions{Now: from.line.Now, Random: rand.NewChaCha8([32]byte{3})}, from.records.Keys())
	tokens := make([]string, 5000) // more than are remembered
	for i := range tokens {
		token, err := issuer.Issue(access.Who{User: "u", Organisation: "o", Roles: []string{api.RoleAdmin}})
		require.NoError(b, err)
		tokens[i] = token.AccessToken
	}
	b.Run("new", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			_, err := issuer.Access(tokens[i%len(tokens)])
			require.NoError(b, err)
		}
	})
	b.Run("seen", func(b *testing.B) {
		for b.Loop() {
			_, err := issuer.Access(tokens[0])
			require.NoError(b, err)
		}
	})
}
