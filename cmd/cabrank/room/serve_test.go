package room_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"rsc.io/qr"

	"github.com/cabrank/cabrank/cmd/cabrank/room"
)

// The certificate is made once, and again where it would not do.
func TestTheCertificateIsKept(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "below")
	at, other := []net.IP{net.IPv4(192, 168, 1, 20)}, []net.IP{net.IPv4(10, 0, 0, 7)}
	now := time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)
	made := func(addresses []net.IP, at time.Time) string {
		c, kept, err := room.Certificate(folder, addresses, at)
		require.NoError(t, err)
		require.NoError(t, kept)
		require.NoError(t, c.Leaf.VerifyHostname(addresses[0].String()))
		return string(c.Certificate[0])
	}
	first := made(at, now)
	require.Equal(t, first, made(at, now.AddDate(0, 6, 0)))
	require.NotEqual(t, first, made(at, now.AddDate(2, 0, 0)), "it has expired")
	second := made(at, now)
	require.NotEqual(t, second, made(other, now), "another address")
	info, err := os.Stat(filepath.Join(folder, "room.pem"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	_, kept, err := room.Certificate(filepath.Join(folder, "room.pem", "x"), at, now)
	require.NoError(t, err)
	require.Error(t, kept, "it is good for the run")
}

// The code for terminals and that of the page have the modules of the library's.
func TestTheCodeIsWhatIsEncoded(t *testing.T) {
	const text = "https://192.168.1.20:8443/j/abcdefghij"
	want, err := qr.Encode(text, qr.M)
	require.NoError(t, err)
	code, err := room.NewCode(text)
	require.NoError(t, err)
	require.Equal(t, want.Size+8, code.Side())
	dark := 0
	for y := range want.Size {
		for x := range want.Size {
			if want.Black(x, y) {
				dark++
			}
		}
	}
	require.Equal(t, dark, strings.Count(code.Path(), "M"))
	require.Contains(t, code.Path(), "M4 4h1v1h-1z", "the corner of the first eye")
	var plain, coloured bytes.Buffer
	require.NoError(t, code.Print(&plain, false))
	require.NoError(t, code.Print(&coloured, true))
	require.Equal(t, strings.Repeat("█", code.Side()), strings.Split(plain.String(), "\n")[0], "the margin")
	light := strings.Count(plain.String(), "█")*2 + strings.Count(plain.String(), "▀") + strings.Count(plain.String(), "▄")
	require.Equal(t, code.Side()*(code.Side()+1)-dark, light)
	require.Contains(t, coloured.String(), "\x1b[")
}

// The server refuses requests that are too large, and answers guests while other connections say nothing.
func TestTheServerIsBounded(t *testing.T) {
	folder := t.TempDir()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	v := newVenue(t)
	o := room.Options{Platform: http.HandlerFunc(v.platform), World: http.HandlerFunc(v.world), Now: time.Now, Most: 3}
	served, err := room.Serve(o, l, folder, make(chan error, 1))
	require.NoError(t, err)
	t.Cleanup(served.End)
	authorities := x509.NewCertPool()
	text, err := os.ReadFile(filepath.Join(folder, "room.pem"))
	require.NoError(t, err)
	require.True(t, authorities.AppendCertsFromPEM(text))
	secured := &tls.Config{RootCAs: authorities, MinVersion: tls.VersionTLS12}
	for i := range 60 {
		conn, err := net.Dial("tcp", l.Addr().String())
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		if i%2 == 0 { // the others do not even begin with TLS
			half := tls.Client(conn, &tls.Config{RootCAs: authorities, ServerName: "127.0.0.1", MinVersion: tls.VersionTLS12})
			_, err = half.Write([]byte("GET / HTTP/1.1\r\nHost: "))
			require.NoError(t, err)
		}
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: secured}}
	t.Cleanup(client.CloseIdleConnections)
	for size, want := range map[int]int{100: http.StatusUnauthorized, 20 << 10: http.StatusRequestHeaderFieldsTooLarge} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+l.Addr().String()+"/api/phone", nil)
		require.NoError(t, err)
		req.Header.Set("Cookie", "cabrank-room="+strings.Repeat("a", size))
		resp, err := client.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, want, resp.StatusCode)
	}
}
