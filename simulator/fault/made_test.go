package fault_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/fault"
)

// listener is a journal that a handler may tell what it made.
type listener struct {
	*httptest.ResponseRecorder
	made []string
}

func (l *listener) Made(name, id string) { l.made = append(l.made, name+" "+id) }

// outer stands before a listener, as others do on the way.
type outer struct{ http.ResponseWriter }

func (o outer) Unwrap() http.ResponseWriter { return o.ResponseWriter }

// TestALostAnswerIsToldToTheJournal as only the handler knows what was made.
func TestALostAnswerIsToldToTheJournal(t *testing.T) {
	t.Parallel()
	answer := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, `{"journeyId":"J7","status":"WAITING"}`)
	})
	for path, want := range map[string][]string{"/book": {"journeyId J7"}, "/status": nil} {
		w := begin(t)
		w.add(`{"do":{"kind":"commit-then-drop","status":500}}`)
		l := &listener{ResponseRecorder: httptest.NewRecorder()}
		fault.Handler(w.set, answer).ServeHTTP(outer{l}, httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader("{}")))
		require.Equal(t, 500, l.Code)
		require.Equal(t, want, l.made, path)
		require.NotContains(t, l.Body.String(), "J7")
	}
}
