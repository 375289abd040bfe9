package conformance_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance/matrix"
)

// TestTheMatrixJudgesAnySuite has one mutant for each check of the telephone suite, a
// variant and a null peer.
func TestTheMatrixJudgesAnySuite(t *testing.T) {
	t.Parallel()
	numbered := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodPost {
				next.ServeHTTP(w, r)
				return
			}
			answer := httptest.NewRecorder()
			next.ServeHTTP(answer, r)
			_, _ = io.WriteString(w, strings.ReplaceAll(answer.Body.String(), `"callId":"`, `"callId":"","was":"`)) // the suite will see
		})
	}
	extra := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Odd", "and right")
			next.ServeHTTP(w, r)
		})
	}
	nobody := func(http.Handler) http.Handler { return http.NotFoundHandler() }
	trial := matrix.Trial{
		Suite: newTelephone(), Sound: subject, Now: time.Now,
		Mutants: []matrix.Mutant{
			{Name: "calls without a number", KilledBy: "TEL-01", Wrap: numbered},
			{Name: "calls never end", KilledBy: "TEL-02", Wrap: stubborn},
			{Name: "nobody is greeted", KilledBy: "TEL-03@line", Wrap: deaf},
		},
		Variants: []matrix.Mutant{{Name: "one more header", Wrap: extra}},
		Peers:    []matrix.Mutant{{Name: "nothing is there", Own: true, Wrap: nobody}},
	}
	m, err := matrix.KillMatrix(t.Context(), trial)
	require.NoError(t, err)
	require.True(t, m.OK(), m.String())
	require.Contains(t, m.String(), "3 mutants, 1 variant, 1 null peer")

	trial.Mutants, trial.Variants = trial.Mutants[:2], []matrix.Mutant{{Name: "calls never end", Wrap: stubborn}}
	m, err = matrix.KillMatrix(t.Context(), trial)
	require.NoError(t, err)
	require.Contains(t, matrix.Proofs(trial.Suite, trial.Mutants), "TEL-03 (must): no mutant\n")
	require.Equal(t, "failed, and it is right", m.Variants[0].Problem)
}

// TestAMatrixIsRedWhenReportsPointElsewhere counts mutants whose reports name first what
// is wrong with them.
func TestAMatrixIsRedWhenReportsPointElsewhere(t *testing.T) {
	t.Parallel()
	row := func(named bool) matrix.MatrixRow {
		return matrix.MatrixRow{Mutant: matrix.Mutant{Name: "one", KilledBy: "TEL-01"}, OK: true, Named: named}
	}
	good := matrix.Matrix{Mutants: slices.Repeat([]matrix.MatrixRow{row(true)}, 19)}
	require.True(t, good.OK())
	good.Mutants = append(good.Mutants, row(false))
	require.True(t, good.OK(), "95 of 100")
	good.Mutants = append(good.Mutants, row(false))
	require.False(t, good.OK())
	require.Contains(t, good.String(), "19 of 21 mutants are named first in their reports (90.5 %, at least 95 %)")
}
