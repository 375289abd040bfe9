// Package platformapi is the suite that judges a voice platform's REST and Voice APIs
// by the published interface. It makes calls, and the pure rules of package rules judge
// them. It knows nothing of any server but what its credentials file says.
//
// A run is made of stages, of which those are made that the checks asked for depend on.
// Access tokens are renewed while it lasts. Package mutants has platforms that are wrong on
// purpose, odd and right, or none at all, and testdata/vendors one that somebody wrote who
// knows the interface only.
//
// The interface has no delete operations. What a run makes is named CONFORMANCE TEST
// and left behind; a kind of which ten such things are there already gets no more.
package platformapi
