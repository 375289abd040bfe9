package client

import (
	"io"
	"net/http"
	"net/url"

	"github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/conformance/journal/live/query"
	"github.com/cabrank/cabrank/simulator/control"
)

// Calls about the journal. A server without a journal refuses them. WaitForRequests is
// refused with status 408 after its timeout, and VerifyRequests with 409 if an expectation
// is not met; the [Problem] contains the closest requests.
var (
	ListRequests    = control.At[url.Values, query.Listing](http.MethodGet, "/requests")
	FollowRequests  = control.At[url.Values, io.ReadCloser](http.MethodGet, "/requests/stream")
	FindRequests    = control.At[query.Question, query.Listing](http.MethodPost, "/requests/find")
	CountRequests   = control.At[query.Question, struct{ Count int }](http.MethodPost, "/requests/count")
	WaitForRequests = control.At[query.Waiting, query.Listing](http.MethodPost, "/requests/wait")
	ReadRequest     = control.At[url.Values, live.Document](http.MethodGet, "/requests/{id}")
	ClearRequests   = control.At[url.Values, control.None](http.MethodDelete, "/requests")
	VerifyRequests  = control.At[query.Verification, query.Verified](http.MethodPost, "/verify")
	ReadReport      = control.At[url.Values, live.Summary](http.MethodGet, "/report")
	ReadRule        = control.At[url.Values, query.Rule](http.MethodGet, "/rules/{id}")
)
