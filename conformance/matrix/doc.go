// Package matrix tests a suite against servers whose verdict is known: mutants, which are wrong in one way
// on purpose and must fail the checks that they name; variants, which are unusual but correct and must
// pass; and null peers, which do nothing and on which no check may be green.
package matrix
