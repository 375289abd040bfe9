// Package interop joins two runs: one that judged a dispatch system and one that judged
// a calling platform. It says what the two will and will not do together, with what was
// seen on either side.
//
// Its table of predictions is data: what each rests on, and the sentence for each
// outcome. It does not guess. A prediction that something works needs evidence of both
// runs; what one of them did not verify is not predicted.
package interop
