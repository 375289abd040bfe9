// Package control serves the calls with which a tester makes things happen in a world
// that is being served, beside the five operations and never among them.
//
//	POST /_cabrank/advance  {"journeyId": "J…", "status": "ARRIVED"}
//
// moves the world's clock until the journey has that status: it is what the aid
// --advance-url of the conformance suite calls. The calls ask for no credentials,
// so they are for callers on the same machine.
package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/store"
)

// Path is where the calls are.
const Path = "/_cabrank/"

// PathAdvance is the call that brings a journey to a status.
const PathAdvance = Path + "advance"

const (
	maxBody = 4 << 10              // bytes
	longest = 100 * 24 * time.Hour // of the world: nothing is booked further ahead
)

// Handler answers the calls for the world of a host, and leaves all other requests to
// next. What goes wrong inside is logged, and not told to the caller; log nil: it is
// told to nobody.
func Handler(h *host.Host, next http.Handler, log *slog.Logger) http.Handler {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch { // an http.ServeMux would redirect what is next's to answer
		case !strings.HasPrefix(r.URL.Path, Path):
			next.ServeHTTP(w, r)
		case r.URL.Path != PathAdvance:
			fail(w, refuse(http.StatusNotFound, taxi.CodeNotFound, "the one call is POST "+PathAdvance))
		case r.Method != http.MethodPost:
			w.Header().Set("Allow", http.MethodPost)
			fail(w, refuse(http.StatusMethodNotAllowed, taxi.CodeMethodNotAllowed, "want POST"))
		default:
			answer(w, r, log, func(order Order) (Outcome, error) { return advance(r.Context(), h, order) })
		}
	})
}

// Order says which journey is to be brought to which status.
type Order struct {
	JourneyID taxi.JourneyID `json:"journeyId"`
	Status    taxi.Status    `json:"status"`
}

// Outcome is how a journey stands after an order.
type Outcome struct {
	JourneyID taxi.JourneyID `json:"journeyId"`
	Status    taxi.Status    `json:"status"`
	Now       time.Time      `json:"now"` // by the world's clock
}

// answer reads an order, does it and writes what came of it.
func answer(w http.ResponseWriter, r *http.Request, log *slog.Logger, do func(Order) (Outcome, error)) {
	// Only a body that says it is JSON: no page in a browser can send one elsewhere.
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		fail(w, refuse(http.StatusUnsupportedMediaType, taxi.CodeUnsupportedMediaType, "Content-Type is %q, want application/json", r.Header.Get("Content-Type")))
		return
	}
	order, err := readOrder(io.LimitReader(r.Body, maxBody))
	if err == nil {
		var out Outcome
		if out, err = do(order); err == nil {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(out) // an error means that the caller is gone
			return
		}
	}
	fail(w, toldTo(r.Context(), log, err))
}

// readOrder reads an order and checks it.
func readOrder(body io.Reader) (o Order, err error) {
	if err := json.NewDecoder(body).Decode(&o); err != nil {
		return o, refuse(http.StatusBadRequest, taxi.CodeMalformedJSON, `want {"journeyId":"J…","status":"ARRIVED"}: %v`, err)
	}
	if o.JourneyID == "" || !slices.Contains(way, o.Status) {
		return o, refuse(http.StatusUnprocessableEntity, taxi.CodeValidationFailed,
			"want a journeyId, and a status out of %v; /cancel cancels", way)
	}
	return o, nil
}

// way is the way of a journey on which nothing goes wrong.
var way = []taxi.Status{taxi.Held, taxi.Waiting, taxi.Accepted, taxi.EnRoute, taxi.Arrived, taxi.POB, taxi.Complete}

// advance moves the clock until a journey has a status. One that is behind it already,
// or has ended, is refused before the clock moves.
func advance(ctx context.Context, h *host.Host, o Order) (Outcome, error) {
	j, err := h.Records().Journey(ctx, o.JourneyID)
	if err != nil {
		return Outcome{}, err
	}
	if j.Status.Terminal() && j.Status != o.Status || slices.Index(way, j.Status) > slices.Index(way, o.Status) {
		return Outcome{}, conflict(j.Status, o.Status)
	}
	clock := h.World().Clock()
	err = clock.UntilStatus(ctx, o.JourneyID, o.Status, longest)
	if stands, ok := errors.AsType[*simulator.StatusError](err); ok && errors.Is(err, simulator.ErrNotReached) {
		return Outcome{}, conflict(stands.Is, o.Status)
	}
	return Outcome{o.JourneyID, o.Status, clock.Now()}, err
}

func conflict(is, want taxi.Status) *taxi.Problem {
	p := refuse(http.StatusConflict, taxi.CodeJourneyInProgress, "the journey is %s, and will not be %s", is, want)
	if is.Terminal() {
		p.Code = taxi.CodeJourneyClosed
	}
	p.JourneyStatus = is
	return p
}

func refuse(status int, code taxi.Code, format string, args ...any) *taxi.Problem {
	return &taxi.Problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status, Code: code, Detail: fmt.Sprintf(format, args...),
	}
}

// toldTo is an error as its caller may see it: what may name a file of this machine
// goes to the log.
func toldTo(ctx context.Context, log *slog.Logger, err error) *taxi.Problem {
	if p, ok := errors.AsType[*taxi.Problem](err); ok {
		return p
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		return refuse(http.StatusNotFound, taxi.CodeJourneyNotFound, "there is no such journey")
	case ctx.Err() != nil:
		return refuse(http.StatusServiceUnavailable, taxi.CodeInternal, "the request ended before the journey had the status")
	case errors.Is(err, simulator.ErrNotReached):
		return refuse(http.StatusServiceUnavailable, taxi.CodeInternal, "the journey does not have the status after %d days of the world", longest/(24*time.Hour))
	}
	log.ErrorContext(ctx, "a journey could not be brought to a status", "error", err)
	return refuse(http.StatusInternalServerError, taxi.CodeInternal, "the log says more")
}

// fail answers with a problem document (RFC 9457).
func fail(w http.ResponseWriter, p *taxi.Problem) {
	w.Header().Set("Content-Type", taxi.ProblemContentType)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p) // an error means that the caller is gone
}
