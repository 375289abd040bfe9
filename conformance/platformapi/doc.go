// Package platformapi is the suite that judges a voice platform's REST and Voice APIs
// by the published interface. It makes calls, and the pure rules of package rules judge
// them. It knows nothing about a server except its credentials file.
//
// A run consists of stages, and makes those that the chosen checks depend on. It renews
// access tokens meanwhile. mutants_*_test.go have platforms with known faults, unusual but
// correct ones, and servers that are no platform; testdata/vendors has one written from the
// published interface only.
//
// The interface has no delete operations. The objects of a run are named CONFORMANCE TEST
// and remain; a run makes no more objects of a kind that has ten of them.
package platformapi
