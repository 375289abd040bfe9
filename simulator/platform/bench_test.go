package platform_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/access"
	"github.com/cabrank/cabrank/simulator/platform/api"
)

// BenchmarkReads reads a trunk over real HTTP, beside a bare gin handler that
// sends the same bytes. The goal is 0.6 of the bare one's rate.
func BenchmarkReads(b *testing.B) {
	from := template()
	account := from.credentials.Accounts[0].ID
	trunk := api.Trunk{ID: "t", IP: "192.0.2.1", Port: 5060}
	body, err := json.Marshal(trunk)
	require.NoError(b, err)
	gin.SetMode(gin.ReleaseMode)
	bare := gin.New()
	bare.GET("/api/v1/account/:account", func(c *gin.Context) { c.Data(http.StatusOK, "application/json", body) })
	for name, handler := range map[string]http.Handler{"bare gin": bare, "platform": from.handler} {
		b.Run(name, func(b *testing.B) {
			server := httptest.NewServer(handler)
			defer server.Close()
			client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
			defer client.CloseIdleConnections()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					req, _ := http.NewRequestWithContext(context.Background(), http.MethodGet, server.URL+"/api/v1/account/"+account, nil)
					req.Header.Set("Authorization", "Bearer "+from.tokens["admin"])
					resp, err := client.Do(req)
					if err != nil || resp.StatusCode != http.StatusOK {
						b.Error(err, resp)
						return
					}
					_ = resp.Body.Close()
				}
			})
		})
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
