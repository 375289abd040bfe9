// Package mutants has calling platforms that test the suite: some are wrong in one way on purpose,
// some are unusual but correct, and some do nothing. All are variants of one small platform that
// obeys the drive protocol and has no speech engine: it only writes down what it would say.
package mutants
