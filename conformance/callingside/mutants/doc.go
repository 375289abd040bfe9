// Package mutants has calling platforms that are wrong in one way on purpose, some that
// are odd and right, and some that do nothing: what the suite is proved by. All are made
// of one small platform that obeys the drive protocol and has no speech engine: what it
// would say it only writes down.
package mutants
