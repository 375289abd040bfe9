// Package rules holds the checks of a dispatch system and the rules that need one call
// ([JudgeAlone]); package tracking has those that compare calls. checks.json has the checks
// by family (wire, config, user, book, edit, cancel, status, enrichment, journeys, bad
// input, races, timing, security); the rules of a family for one call are in one file.
//
// A rule reads recorded exchanges and returns findings. It makes no call, reads no clock
// and knows no probe, so the same rule judges a run of the suite, a recording of a
// proxy and a HAR file. Its tests are tables: exchanges in, findings out.
package rules
