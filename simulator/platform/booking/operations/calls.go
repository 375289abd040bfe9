package operations

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Config calls /config with the platform's settings.
func (c *Client) Config(ctx context.Context, settings taxi.Settings) (Config, error) {
	o, err := c.call(ctx, taxi.PathConfig, taxi.ConfigRequest{Data: &settings}, true)
	return readConfig(o), err
}

// User calls /user. If the third party does not know the number, which it may report by
// 404 or by a response without a userId, the user has no Ref.
func (c *Client) User(ctx context.Context, number taxi.E164) (User, error) {
	asked := requests.Add(1)
	o, err := c.call(ctx, taxi.PathUser, taxi.UserRequest{PhoneNumber: number.Digits()}, true)
	if f, ok := errors.AsType[*Failure](err); ok && f.Status == http.StatusNotFound {
		return User{}, nil
	}
	return readUser(o, asked), err
}

// Booking is the body of /book; an edit repeats all members.
type Booking struct {
	Journey  ID // the booking to edit; none: a new one
	User     ID // none: unknown
	Name     string
	Phone    taxi.E164
	Pickup   taxi.Address
	Dropoffs []taxi.Address
	Time     taxi.Time
	Category string
	Data     json.RawMessage // an object, or nil
}

// bookBody is a Booking in JSON. [taxi.BookRequest] stores ids as strings, which would
// lose their original form.
type bookBody struct {
	Journey  json.RawMessage `json:"journeyId,omitempty"`
	User     json.RawMessage `json:"userId,omitempty"`
	Name     string          `json:"name"`
	Phone    taxi.E164       `json:"phoneNumber"`
	Pickup   taxi.Address    `json:"pickup"`
	Dropoffs []taxi.Address  `json:"dropoffs"`
	Time     taxi.Time       `json:"pickupTime"`
	Category string          `json:"vehicleCategory,omitempty"`
	Data     json.RawMessage `json:"data,omitempty"`
}

// Book calls /book, once. Without an error, the journey is booked; with a [Failure] whose
// outcome is Unknown, it may be.
func (c *Client) Book(ctx context.Context, b Booking) (Journey, error) {
	return c.journey(ctx, taxi.PathBook, b.Journey, bookBody{
		Journey: json.RawMessage(b.Journey), User: json.RawMessage(b.User), Name: b.Name, Phone: b.Phone.International(),
		Pickup: b.Pickup, Dropoffs: b.Dropoffs, Time: b.Time, Category: b.Category, Data: b.Data,
	}, false)
}

// ref is the body of /cancel and /status.
type ref struct {
	User    ID `json:"userId"`
	Journey ID `json:"journeyId"`
}

// Cancel calls /cancel, once. The journey is cancelled if its status says so.
func (c *Client) Cancel(ctx context.Context, user, journey ID) (Journey, error) {
	return c.journey(ctx, taxi.PathCancel, journey, ref{user, journey}, false)
}

// Status calls /status.
func (c *Client) Status(ctx context.Context, user, journey ID) (Journey, error) {
	return c.journey(ctx, taxi.PathStatus, journey, ref{user, journey}, true)
}

// Why a response is not accepted.
var (
	ErrIncomplete = errors.New("the answer lacks journeyId or status")
	ErrForeign    = errors.New("the answer is about another journey")
)

// journey sends a request whose response is a journey. It refuses a response about
// another journey than id, unless there is no id.
func (c *Client) journey(ctx context.Context, path string, id ID, body any, again bool) (Journey, error) {
	asked := requests.Add(1)
	o, err := c.call(ctx, path, body, again)
	if err != nil {
		return Journey{}, err
	}
	j, whole := readJourney(o)
	j.Asked = asked
	switch {
	case !whole:
		err = ErrIncomplete
	case id != "" && !j.Ref.Is(id):
		err = ErrForeign
	default:
		return j, nil
	}
	return Journey{}, &Failure{Path: path, Status: http.StatusOK, Outcome: Unknown, Err: err}
}
