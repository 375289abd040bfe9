package sip_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/records"
)

// gateway connects the first number of the first account to a gateway that records its calls and has a trunk for each
// agent.
func gateway(t *testing.T, kept *records.Records, trunks ...*agent) {
	t.Helper()
	account := kept.Accounts(kept.Organisations()[0].ID)[0].ID
	d := api.Device{ID: "gateway", Type: api.TypeSIPGateway, Extension: "300", SIPGateway: &api.SIPGateway{
		RingTime: 30, MaxCallTime: 60, Record: true, Present: api.PresentPassThrough, CountryCode: "gb",
		OnComplete: api.Hangup, OnFail: api.Hangup, OnNoAnswer: api.Hangup, OnBusy: api.Hangup,
	}}
	var start api.Device
	for _, row := range kept.Devices.List(account) {
		if row.Value.StartRoute != nil && start.ID == "" {
			start = row.Value
		}
	}
	start.StartRoute.ConnectTo = d.ID
	require.NoError(t, kept.Write(t.Context(), func(tx *records.Tx) error {
		for i, a := range trunks {
			trunk := api.Trunk{
				ID: string(rune('a' + i)), IP: "127.0.0.1", Port: int(a.address().Port()), CallerFormat: api.FormatNational,
				CalledFormat: api.FormatE164, CountryCode: "gb",
			}
			d.SIPGateway.Trunks = append(d.SIPGateway.Trunks, trunk.ID)
			if err := kept.Trunks.Put(t.Context(), tx, account, trunk.ID, trunk); err != nil {
				return err
			}
		}
		if err := kept.Devices.Put(t.Context(), tx, account, d.ID, d); err != nil {
			return err
		}
		return kept.Devices.Put(t.Context(), tx, account, start.ID, start)
	}))
}

// TestCallFailsOverToTheNextTrunk checks that a call fails over to the second trunk after a 503 of the first, with numbers in the
// format of the trunk, that sound is passed on, and that the call is recorded in stereo.
func TestCallFailsOverToTheNextTrunk(t *testing.T) {
	t.Parallel()
	var kept *records.Records
	folder := t.TempDir()
	p := firm(t, &clitest.Buffer{}, func(o *platform.Options) { kept, o.Recordings = o.Records, folder })
	address, _ := p.SIPAddress()
	first, second := newAgent(t, address, "one"), newAgent(t, address, "two")
	gateway(t, kept, first, second)

	caller := newAgent(t, address, "+"+customersNumber)
	caller.request("INVITE", caller.offer())
	first.reply(first.asked("INVITE"), 503, "")
	invite := second.asked("INVITE")
	require.Equal(t, "441632960101", invite.Recipient.User)
	require.Equal(t, "0"+customersNumber[2:], invite.From().Address.User)
	second.reply(invite, 200, second.offer())
	second.asked("ACK")
	answer := caller.answer("INVITE", 200)
	caller.request("ACK", "")
	n, tone := 0, bytes.Repeat([]byte{0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80}, 10) // as loud as can be
	require.Eventually(t, func() bool {
		n++
		caller.rtp(mediaOf(t, answer.Body()), 0, uint16(n), uint32(160*n), tone)
		return loud(second.packet())
	}, patience, 10*time.Millisecond, "nothing is heard of the caller")
	second.request2("BYE", invite)
	second.answer("BYE", 200)
	caller.asked("BYE")

	files, err := filepath.Glob(filepath.Join(folder, "*.wav"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	wav, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.Equal(t, uint16(2), binary.LittleEndian.Uint16(wav[22:]), "in stereo")
}

// loud reports whether a µ-law RTP packet contains more than noise.
func loud(packet []byte) bool {
	for _, b := range packet[12:] {
		if b&0x7F < 0x40 {
			return true
		}
	}
	return false
}

// asks sends a request to a platform and decodes the answer.
func asks[T any](t *testing.T, p *platform.Platform, method, path, body string, change ...func(*http.Request)) (answer T) {
	t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	p.Handler().ServeHTTP(w, r)
	require.Less(t, w.Code, 300, "%s %s", body, w.Body)
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer))
	return answer
}

// places places a call of the first account over the Voice API. It returns a function that waits for the end of the
// call and returns its SIP status.
func places(t *testing.T, p *platform.Platform, c platform.Credentials, target string) (status func() int) {
	t.Helper()
	made := asks[api.Created](t, p, http.MethodPost, "/channels/voice", `{"target":`+target+`,"verbs":[{"say":{"text":["Hello."]}}]}`,
		func(r *http.Request) { r.SetBasicAuth(c.Accounts[0].ID, c.Accounts[0].ClientID) })
	return func() int {
		var call calls.View
		require.Eventually(t, func() bool {
			call = asks[calls.View](t, p, http.MethodGet, "/sim/v1/calls/"+made.ID, "")
			return call.Cause != 0
		}, patience, time.Millisecond, "%s", target)
		return call.SIPStatus
	}
}

// TestEmergencyAndPremiumNumbersAreRefused checks that no spelling of an emergency or premium number reaches a gateway's trunk
// or a SIP address, while another number does.
func TestEmergencyAndPremiumNumbersAreRefused(t *testing.T) {
	var kept *records.Records
	p := firm(t, &clitest.Buffer{}, func(o *platform.Options) { kept, o.Insecure = o.Records, true })
	credentials, err := p.Credentials(t.Context(), platform.Credentials{})
	require.NoError(t, err)
	address, _ := p.SIPAddress()
	pbx := newAgent(t, address, "pbx")
	gateway(t, kept, pbx)
	at := "@" + pbx.address().String()
	for _, target := range []string{
		`{"extension":{"extension":"300","overrideTo":"999"}}`,
		`{"extension":{"extension":"300","overrideTo":"9-1-1"}}`,
		`{"extension":{"extension":"300","overrideTo":"+449098790000"}}`,
		`{"extension":{"extension":"300","overrideTo":"0909 879 0000"}}`,
		`{"sipUri":{"uri":"sip:112` + at + `"}}`,
		`{"sipUri":{"uri":"SIP:%39%39%39` + at + `"}}`,
		`{"sipUri":{"uri":"sip:999;phone-context=+44` + at + `"}}`,
		`{"sipUri":{"uri":"sip:999:secret` + at + `"}}`,
		`{"sipUri":{"uri":"sip:%2B449098790000;user=phone` + at + `"}}`,
	} {
		require.Equal(t, 403, places(t, p, credentials, target)(), target)
	}
	status := places(t, p, credentials, `{"extension":{"extension":"300","overrideTo":"+441632960999"}}`)
	invite := pbx.asked("INVITE")
	require.Equal(t, "441632960999", invite.Recipient.User, "the first one that was called")
	pbx.reply(invite, 486, "")
	require.Equal(t, 486, status())
}
