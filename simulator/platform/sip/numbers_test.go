package sip_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
)

const (
	customersNumber = "447700900001"
	driversNumber   = "447700900777"
	taxiNumber      = "441632960102"
)

// thirdParty is a dispatch system with one customer, whose taxi waits outside.
func thirdParty(t *testing.T) string {
	journey := taxi.Journey{
		JourneyID: "j-1", Status: taxi.Arrived, Date: taxi.Time{Time: time.Now()},
		Pickup:   &taxi.Address{Address: "Town Hall, Otterbridge", Location: &taxi.Point{Longitude: 2.09, Latitude: 54.7}},
		Dropoffs: []taxi.Address{{Address: "The Harbour, Otterbridge", Location: &taxi.Point{Longitude: 2.1, Latitude: 54.71}}},
		Driver:   &taxi.Driver{Name: "Sam", PhoneNumber: driversNumber},
	}
	answers := map[string]any{
		taxi.PathConfig: taxi.ConfigResponse{Status: taxi.SystemOK},
		taxi.PathUser:   taxi.EndUser{UserID: "u-1", PhoneNumber: customersNumber, Name: "Ada", Status: "ENABLED", ActiveBookings: []taxi.Journey{journey}},
		taxi.PathStatus: journey,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answers[r.URL.Path])
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// firm returns a whole platform with real telephone lines.
func firm(t *testing.T, log *clitest.Buffer, change ...func(*platform.Options)) *platform.Platform {
	t.Helper()
	kept, err := records.Open(t.Context(), "")
	require.NoError(t, err)
	t.Cleanup(func() { _ = kept.Close() })
	o := platform.Options{
		Records: kept, Now: time.Now, Random: rand.NewChaCha8([32]byte{1}), PrivateHooks: true, BaseURL: func() string { return "" },
		Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		SIP: platform.SIP{Address: "127.0.0.1:0", FirstPort: 34000, LastPort: 34999},
	}
	for _, c := range change {
		c(&o)
	}
	p, err := platform.New(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close(context.Background())) })
	require.NoError(t, p.Seed(t.Context()))
	require.NoError(t, p.UseThirdParty(t.Context(), platform.ThirdParty{URL: thirdParty(t)}))
	return p
}

// addPhone adds a telephone that may register with a platform.
func addPhone(t *testing.T, p *platform.Platform, body string) simapi.RealPhone {
	t.Helper()
	return asks[simapi.RealPhone](t, p, http.MethodPost, "/sim/v1/accounts/Otterbridge%20Taxis/phones", body)
}

// says returns a Reason header whose text contains a number.
func says(number string) string { return `Reason: Q.850;cause=16;text="+` + number + ` has hung up"` }

// TestNoNumberReachesTheOtherSide checks that neither the customer nor the driver receives the other's number, address or
// dialog in any header or session description of a call by "coming now" or "call the driver". If the machine has a
// second loopback address, the driver's telephone uses it.
func TestNoNumberReachesTheOtherSide(t *testing.T) {
	for name, key := range map[string]string{"coming now": "1", "call the driver": "2"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log := &clitest.Buffer{}
			p := firm(t, log)
			address, _ := p.SIPAddress()
			phone := addPhone(t, p, `{"extension":"202","number":"+`+driversNumber+`"}`)
			driver := newAgentAt(t, secondAddress(), address, "202")
			driver.register(phone.Password, 200)

			customer := newAgent(t, address, "+"+customersNumber)
			customer.number = taxiNumber
			customer.sends("INVITE", customer.offer(), 200, "P-Asserted-Identity: <sip:+"+customersNumber+"@127.0.0.1>", "Remote-Party-ID: <sip:+"+customersNumber+"@127.0.0.1>")
			customer.sends("INFO", key, 200, "Content-Type: application/dtmf")

			invite := driver.asked("INVITE")
			require.Equal(t, "+441632960100", invite.From().Address.User)
			asserted := "P-Asserted-Identity: <sip:+" + driversNumber + "@127.0.0.1>"
			driver.reply(invite, 180, "", asserted)
			driver.reply(invite, 200, driver.offer(), asserted)
			driver.asked("ACK")
			if name == "coming now" {
				driver.request2("BYE", invite, says(driversNumber))
				driver.answer("BYE", 200)
			}
			customer.sends("BYE", "", 200, says(customersNumber))
			if name == "call the driver" {
				driver.reply(driver.asked("BYE"), 200, "", says(driversNumber))
			}

			crosses(t, driver, customer, customersNumber)
			crosses(t, customer, driver, driversNumber)
			require.NotContains(t, log.String(), customersNumber)
			require.NotContains(t, log.String(), driversNumber)
			require.NotContains(t, log.String(), phone.Password)
		})
	}
}

// secondAddress returns a second loopback address, or the first on systems that have no other.
func secondAddress() net.IP {
	second := net.IPv4(127, 0, 0, 2)
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: second})
	if err != nil {
		return net.IPv4(127, 0, 0, 1)
	}
	_ = conn.Close()
	return second
}

// crosses checks that nothing that belongs to one side was sent to the other.
func crosses(t *testing.T, to, of *agent, number string) {
	t.Helper()
	to.rest()
	to.mu.Lock()
	defer to.mu.Unlock()
	trace := to.trace.String()
	for _, part := range []string{"Via: ", "From: ", "Contact: ", "m=audio "} {
		require.Contains(t, trace, part)
	}
	secrets := []string{
		number, number[2:], of.callID, of.tag, ":" + strconv.Itoa(int(of.address().Port())),
		"audio " + strconv.Itoa(of.sound.LocalAddr().(*net.UDPAddr).Port),
	}
	if at := of.address().Addr().String(); at != "127.0.0.1" { // that is the platform's as well
		secrets = append(secrets, at)
	}
	for _, secret := range secrets {
		require.NotContains(t, trace, secret)
	}
}
