package platform_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/phones"
	"github.com/cabrank/cabrank/simulator/platform/rest"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
)

// waited sends a request that waits for changes of a phone, and whose client disconnects at once.
func (h *house) waited(phone simapi.PhoneView) {
	h.t.Helper()
	ctx, gone := context.WithCancel(h.t.Context())
	gone()
	path := fmt.Sprintf("/sim/v1/phones/%s?version=%d", phone.ID, phone.Version)
	h.handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil))
}

// TestAbandonedPhonesHangUp checks that a phone hangs up within 15 seconds after the client that waited for
// its changes has disconnected, so that its call no longer counts towards the limit of the account. The time starts
// anew when a client acts on the phone, and a phone whose changes nobody has waited for is not hung up.
func TestAbandonedPhonesHangUp(t *testing.T) {
	h := newHouse(t, func(o *platform.Options) { o.Limits.LiveCalls = 2 })
	number := h.credentials.Accounts[0].DDIs[0]
	h.route(h.asks(func(string) (int, string) {
		return http.StatusOK, `[{"say":{"text":["Hello, and hello again."],"loop":500}}]`
	}))
	ring := func() simapi.PhoneView {
		a := h.post("/sim/v1/phones", `{"from":"+447700900777","to":"`+number.Name+`"}`)
		require.Equal(t, http.StatusCreated, a.status, "%s", a.body)
		return decoded[simapi.PhoneView](t, a)
	}
	status := func(p simapi.PhoneView) phones.Status {
		return decoded[simapi.PhoneView](t, h.send(http.MethodGet, "/sim/v1/phones/"+p.ID, "")).Status
	}
	killed, used := ring(), ring()
	h.waited(killed)
	h.waited(used)
	h.pass(8 * time.Second)
	h.refused(h.post("/sim/v1/phones", `{"from":"+447700900777","to":"`+number.Name+`"}`), api.CodeTooManyCalls)
	require.Equal(t, http.StatusNoContent, h.post("/sim/v1/phones/"+used.ID, `{"press":"5"}`).status)
	h.pass(7 * time.Second)
	require.Equal(t, phones.Over, status(killed))
	require.Equal(t, phones.Talking, status(used))
	kept := ring()
	h.pass(time.Minute)
	require.Equal(t, phones.Over, status(used), "nobody holds that one either")
	require.Equal(t, phones.Talking, status(kept), "nobody waited for news of it, so nobody has gone")
}

// TestPhonePollingOutlastsTheWriteTimeout checks that a request that waits for a phone's changes may wait longer than
// the server's write timeout.
func TestPhonePollingOutlastsTheWriteTimeout(t *testing.T) {
	h := newHouse(t)
	server := rest.Server(h.handler)
	require.Positive(t, server.WriteTimeout)
	server.WriteTimeout = 20 * time.Millisecond
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() { _ = server.Serve(listener) }()
	defer server.Close()
	phone := decoded[simapi.PhoneView](t, h.post("/sim/v1/phones", `{"number":"+442079460999"}`))
	time.AfterFunc(50*time.Millisecond, func() { h.handler.ServeHTTP(httptest.NewRecorder(), hangUp(phone.ID)) })
	resp, err := http.Get(fmt.Sprintf("http://%s/sim/v1/phones/%s?version=%d", listener.Addr(), phone.ID, phone.Version))
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Equal(t, http.StatusOK, resp.StatusCode)
}

func hangUp(phone string) *http.Request {
	req := httptest.NewRequest(http.MethodPost, "/sim/v1/phones/"+phone, strings.NewReader(`{"hangup":true}`))
	req.Header.Set("Content-Type", "application/json")
	return req
}
