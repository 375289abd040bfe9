package control

import (
	"crypto/sha256"
	"fmt"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/inbound"
)

// BenchmarkToken finds whose a token is among as many as there may be.
func BenchmarkToken(b *testing.B) {
	now := time.Date(2026, time.June, 1, 8, 0, 0, 0, time.UTC)
	s := &Server{options: Options{Now: func() time.Time { return now }, Token: "own"}, guesses: inbound.NewGuesses()}
	s.tokens.now, s.tokens.read = s.options.Now, now
	for i := range mostTokens {
		name := fmt.Sprint("t", i)
		hash := sha256.Sum256([]byte(name))
		s.tokens.all = append(s.tokens.all, keptToken{Token{Name: name, May: MayRead}, hash[:]})
	}
	r := httptest.NewRequestWithContext(b.Context(), "GET", "/", nil)
	r.Header.Set("Authorization", "Bearer t250")
	for b.Loop() {
		who, err := s.knows(r)
		require.NoError(b, err)
		require.Equal(b, "t250", who.name)
	}
}
