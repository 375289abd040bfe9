// Package client makes calls to a server under test and records them as exchanges. It adds
// credentials, checks before the run what would prevent it (the preflight), and notices a
// server that stops answering. It knows HTTP but no rules.
package client
