package mutants

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// secret is the bearer token that the third party requires.
const secret = "Kj3vQ9xW2mZp"

// Try runs the suite, limited to the checks in only if there are any, against a new platform with the given switches.
func Try(ctx context.Context, in Setting, only []string, switches ...Switch) (*conformance.Report, error) {
	server, err := in.serve(ctx, NewPlatform(in, switches...))
	if err != nil {
		return nil, err
	}
	defer server.Close()
	return Judge(ctx, in, server.URL, only)
}

// Judge runs the suite, limited to the checks in only if there are any, against the platform at a
// drive address. The third party requires TLS and credentials, so that every check can be made.
func Judge(ctx context.Context, in Setting, drive string, only []string) (*conformance.Report, error) {
	certificates, ca, err := callingside.TemporaryCertificates(in.Now(), "127.0.0.1", "localhost")
	if err != nil {
		return nil, err
	}
	listener, err := in.listen(ctx)
	if err != nil {
		return nil, err
	}
	other, err := in.listen(ctx)
	if err != nil {
		return nil, err
	}
	to := ThirdParty{Authorization: "Bearer " + secret, CA: ca}
	client := &http.Client{Transport: &http.Transport{DialContext: in.Dial, MaxIdleConnsPerHost: 16}}
	defer client.CloseIdleConnections()
	return callingside.Run(ctx, callingside.Options{
		Listener: listener, Other: other, BasePath: "/taxi", Actor: callingside.Drive{URL: drive, Client: client},
		Now: in.Now, Wait: in.Wait, Nonce: 7, Auth: taxi.Bearer(secret), TLS: certificates, Only: only,
		Ready: func(address string) error {
			to.URL = address
			return configure(ctx, client, drive, to)
		},
	})
}

// configure tells a platform whom to call, as its operator would. It returns nil if nothing
// answers: the run notices that.
func configure(ctx context.Context, client *http.Client, drive string, to ThirdParty) error {
	body, err := json.Marshal(to)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, drive+"/third-party", bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil //nolint:nilerr // the run finds out
	}
	if err := resp.Body.Close(); err != nil {
		return fmt.Errorf("configure the platform: %w", err)
	}
	return nil
}
