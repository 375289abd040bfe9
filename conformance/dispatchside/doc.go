// Package dispatchside is the suite that judges a third party's dispatch system. It
// books, edits, follows and cancels journeys through the five operations of the
// bookable-taxi interface and gives a verdict for each requirement.
//
// Probes and rules are separate. Probes make traffic: each is a short series of calls
// (book, edit, read, cancel) for its own end user. Rules, in the package rules, are pure
// functions that read the recorded exchanges and return findings for each check. They do
// not depend on the definitions of probes, and also judge traffic of other clients
// ([Suite] with [conformance.Suite.Verdicts]). [Run] makes the calls, applies the rules
// and returns a report.
//
// Random walks look for faults that the other probes miss: two hundred calls in an order
// given by the seed, judged by the same rules. If only a walk shows a fault, the walk is
// reduced to the shortest series of calls that shows it.
//
// The servers of mutants_*_test.go, each with one fault, test the suite.
package dispatchside
