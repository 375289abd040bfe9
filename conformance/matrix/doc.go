// Package matrix judges the judge. It runs a suite against mutants, which are wrong in
// one way on purpose and must fail their named check, against variants, which are odd
// and right and must pass, and against null peers, which are no servers at all and for
// which no check may be green.
package matrix
