package taxi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Book a taxi at a third party's server, ask where it is, and cancel it too late.
func ExampleClient() {
	server := httptest.NewServer(http.HandlerFunc(office))
	defer server.Close()

	client, err := taxi.NewClient(server.URL+"/taxi", taxi.ClientOptions{Auth: taxi.Bearer("a-token")})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := taxi.WithIdempotencyKey(context.Background(), "caller-17-booking-1")
	journey, err := client.Book(ctx, taxi.BookRequest{
		Name:        "Ann Other",
		PhoneNumber: "442079460000",
		Pickup: &taxi.Address{
			Address:  "Otterbridge Station, Station Road, Otterbridge, ZT1 1AA",
			Location: &taxi.Point{Longitude: 2.0978, Latitude: 54.7012},
		},
		Dropoffs: []taxi.Address{{
			Address:  "The Drowned Bell, Quay Street, Otterbridge, ZT2 7LH",
			Location: &taxi.Point{Longitude: 2.1066, Latitude: 54.6969},
		}},
		PickupTime: taxi.At(time.Date(2026, 11, 21, 10, 30, 0, 0, time.UTC)),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("booked:", journey.JourneyID, journey.Status)

	ref := taxi.JourneyRef{UserID: "u-0000", JourneyID: journey.JourneyID}
	if journey, err = client.Status(ctx, ref); err == nil {
		fmt.Println("now:", journey.Status, "in", journey.ETA.Value, journey.ETA.Unit)
	}
	if _, err = client.Cancel(ctx, ref); errors.Is(err, &taxi.Problem{Code: taxi.CodeJourneyInProgress}) {
		fmt.Println("cancel:", err)
	}
	// Output:
	// booked: j-1 WAITING
	// now: EN_ROUTE in 4 minutes
	// cancel: 409 journey-in-progress: the passenger is on board
}

// office is a dispatch system of very few words.
func office(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/taxi/book":
		_, _ = io.WriteString(w, `{"journeyId":"j-1","status":"WAITING"}`)
	case "/taxi/status":
		_, _ = io.WriteString(w, `{"journeyId":"j-1","status":"EN_ROUTE","eta":{"value":4,"unit":"minutes"}}`)
	case "/taxi/cancel":
		w.Header().Set("Content-Type", taxi.ProblemContentType)
		w.WriteHeader(http.StatusConflict)
		_, _ = io.WriteString(w, `{"code":"journey-in-progress","detail":"the passenger is on board"}`)
	}
}
