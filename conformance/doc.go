// Package conformance judges a dispatch system by what it says on the wire: it
// books, edits, follows and cancels journeys through the five operations of the
// bookable-taxi interface and gives a verdict for each requirement, with the
// evidence and the fix.
//
// Two things are kept apart. Probes make traffic: each is a short series of calls
// (book, edit, look, cancel) for an end user of its own. Rules are pure functions
// that read the recorded [Exchange]s and say what each check makes of them. They do
// not depend on how probes are defined, and serve as well on traffic that somebody
// else made ([Judge]). [Run] does both and returns a [Report].
//
// A check is data ([Check]): an id that keeps its meaning for ever, a level, the
// clause and the sentence it comes from, why it matters to a passenger, and what
// to do about a failure. What the interface leaves open is observed and
// reported, never failed. What could not be tested is "not verified" and never
// green; a check on which no rule spoke at all is an error of the suite.
//
// Random walks look for what the other probes do not try: two hundred calls in an
// order that follows from the seed, judged by the same rules. When only a walk shows
// a fault, it is shortened to the shortest series of calls that shows it.
//
// The judge is judged as well: [KillMatrix] runs the suite against the servers of
// package mutant, which are wrong on purpose, odd and right, or no servers at all.
//
// The package knows only the wire: it imports the contract and no
// implementation of it, and it depends on neither testing nor any assertion
// library.
package conformance
