// Package dispatchside is the suite that judges a third party's dispatch system. It
// books, edits, follows and cancels journeys through the five operations of the
// bookable-taxi interface and gives a verdict for each requirement.
//
// Two things are kept apart. Probes make traffic: each is a short series of calls
// (book, edit, look, cancel) for an end user of its own. Rules, in the package rules, are
// pure functions that read the recorded exchanges and say what each check makes of
// them. They do not depend on how probes are defined, and serve as well on traffic that
// somebody else made ([Suite] with [conformance.Suite.Verdicts]). [Run] does both and
// returns a report.
//
// Random walks look for what the other probes do not try: two hundred calls in an
// order that follows from the seed, judged by the same rules. When only a walk shows
// a fault, it is shortened to the shortest series of calls that shows it.
//
// The suite is proved by the servers of package mutants.
package dispatchside
