// Package conformance is the engine of the judge: the nouns of a verdict and the
// way from findings to a report. It has no word of any of the systems that are judged. A [Suite] is a value that
// holds all that is particular to one kind of system: its operations, checks,
// clauses, requirement sets, tiers and aids. Suites, each in a folder of its own,
// are judged, reported, compared and proved by the same code.
//
// A check is data ([Check]): an id that keeps its meaning for ever, a level, the
// clause and the sentence it comes from, why it matters, and what to do about a
// failure. Rules are pure functions of a suite: they read recorded [Exchange]s and
// [Observation]s and give [Finding]s. The worst finding decides the [Result] of a
// check. What an interface leaves open is observed and reported, never failed. What
// could not be tested is "not verified" and never green; a check on which no rule
// spoke at all is an error of the suite.
//
// A [Report] is what a run found; a [RunFile] is the report with all its evidence,
// and everything else is made from it:
//
//	exchanges, observations ──rules──▶ findings ──▶ results ──▶ report ──▶ run file ──▶ HTML, JUnit, SARIF, …
//	                                                  ▲            ▲
//	                                              baseline     scoring, requirement sets, tiers
//
// The folders below it: jsonvalue reads JSON values that know their pointer; redact
// hides numbers and credentials; client makes calls and records them; report
// writes the formats; journal listens to other people's traffic; matrix proves a suite
// against servers that are wrong on purpose. Every other folder is a suite.
//
// The package knows only what is on the wire: it imports no implementation of any
// interface, and it depends on neither testing nor any assertion library.
package conformance
