// Package conformance is the engine of the judge: the types of a verdict, and the
// code that turns findings into a report. It knows nothing about the systems that are
// judged. A [Suite] is a value that holds everything specific to one kind of system:
// its operations, checks, clauses, requirement sets, tiers and aids. Each suite has
// its own folder; the same code judges, reports, compares and tests all of them.
//
// A check is data ([Check]): an id whose meaning never changes, a level, the clause
// and the sentence it comes from, why it matters, and how to fix a failure. Rules are
// pure functions of a suite: they read recorded [Exchange]s and [Observation]s and
// return [Finding]s. The worst finding decides the [Result] of a check. Behaviour that
// an interface leaves open is observed and reported, never failed. A check that could
// not be tested is "not verified" and never green; a check without any finding is an
// error of the suite.
//
// A [Report] holds the results of a run. A [RunFile] is the report with all its
// evidence; every other format is made from it:
//
//	exchanges, observations ──rules──▶ findings ──▶ results ──▶ report ──▶ run file ──▶ HTML, JUnit, Markdown, …
//	                                                  ▲            ▲
//	                                              baseline     scoring, requirement sets, tiers
//
// The folders below it: jsonvalue reads JSON values that know their pointer; redact
// hides numbers and credentials; client makes calls and records them; report
// writes the formats; journal records the traffic of other clients; matrix tests a
// suite against servers with known faults. hostile has servers
// for tests of clients. Every other folder is a suite.
//
// The package knows only what is on the wire: it imports no implementation of any
// interface, and it depends on neither testing nor any assertion library.
package conformance
