// Package interop joins two runs: one that judged a dispatch system and one that judged a
// calling platform. It predicts what the two will and will not do together, with evidence
// from both runs.
//
// Its table of predictions is data: the requirements of each, and the sentence for each
// outcome. It does not guess. A prediction that something works needs evidence from both
// runs; nothing is predicted from unverified checks.
package interop
