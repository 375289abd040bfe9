// Package client makes calls to a server under test and records them as exchanges. It
// adds credentials, looks before the run at what stands in the way (the preflight), and
// notices a server that goes silent. It knows how to speak HTTP, and no rule.
package client
