package sip_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/records"
)

// gateway gives the first account a device with two trunks, which records its calls, behind its
// first number.
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

// TestTheNextTrunk: the first one has trouble of its own, so the second one is called, with numbers
// as it wants them. What is said goes across, and is recorded.
func TestTheNextTrunk(t *testing.T) {
	var kept *records.Records
	folder := t.TempDir()
	p := firm(t, &logged{}, func(o *platform.Options) { kept, o.Recordings = o.Records, folder })
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
	to, stop := mediaOf(t, answer.Body()), make(chan struct{})
	go caller.shouts(to, stop) // ends with the test
	require.Eventually(t, func() bool { return loud(second.packet()) }, patience, time.Microsecond, "nothing is heard of the caller")
	second.request2("BYE", invite)
	second.answer("BYE", 200)
	close(stop)
	caller.asked("BYE")

	files, err := filepath.Glob(filepath.Join(folder, "*.wav"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	wav, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.Equal(t, uint16(2), binary.LittleEndian.Uint16(wav[22:]), "in stereo")
}

// loud reports whether a packet of µ-law holds more than noise.
func loud(packet []byte) bool {
	for _, b := range packet[12:] {
		if b&0x7F < 0x40 {
			return true
		}
	}
	return false
}

// TestNumbersThatAreNeverDialled: a call that is asked for by an address is refused as one by a
// number is.
func TestNumbersThatAreNeverDialled(t *testing.T) {
	p := firm(t, &logged{})
	address, _ := p.SIPAddress()
	phone := addPhone(t, p, `{"extension":"201"}`)
	a := newAgent(t, address, "201")
	for _, number := range []string{"999", "112", "09098790000"} {
		a.number = number
		a.request("INVITE", a.offer())
		challenge := a.answer("INVITE", 407)
		a.request("ACK", "")
		a.request("INVITE", a.offer(), a.credentials(challenge, "INVITE", "sip:"+number+"@"+address.String(), phone.Password))
		r := a.answerTo("INVITE")
		require.Contains(t, []int{403, 404}, r.StatusCode, number)
	}
	require.True(t, api.Premium("449098790000"))
	require.False(t, api.Premium("441632960101"))
}
