package cli_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

func TestAddressesAreChecked(t *testing.T) {
	for address, want := range map[string]string{
		"http://127.0.0.1:9600": "", "https://dispatch.example/taxi": "", "http://[::1]:8080": "",
		"127.0.0.1:9600":     `--url "127.0.0.1:9600" is not an address; want http://127.0.0.1:9600, or https://`,
		"localhost:9600":     `--url "localhost:9600" is not an address; want http://localhost:9600, or https://`,
		"dispatch/taxi":      `--url "dispatch/taxi" is not an address; want http://dispatch/taxi, or https://`,
		"":                   `--url "" is not an address; want http://host/path, or https://`,
		"ftp://host":         `--url "ftp://host" is not an address; want http://host/path, or https://`,
		"http://":            `--url "http://" is not an address; want http://host/path, or https://`,
		"ann:secret@host:80": `--url is not an address; want http://host/path or https://host/path`,
	} {
		err := cli.CheckAddress("--url", address)
		if want == "" {
			require.NoError(t, err, address)
			continue
		}
		require.EqualError(t, err, want)
	}
}
