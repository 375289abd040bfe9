// Package browsertest has Debian's chromium use the console of the real program, as
// people do: with a mouse, with keys, with a screen reader's eyes.
//
// Its tests have the build tag browser: a browser need not be there, and the packages that
// drive it are dear to compile. They are skipped if there is no chromium; with MUST_RUN=1 that
// is a failure. CHROMIUM names another browser.
//
//	go test -tags browser ./cmd/cabrank/console/browsertest                       all of it
//
// Whatever a test does, it also fails if a page asks for anything of another server, does
// what its policy forbids, or leaves an error in the browser's console (watch).
package browsertest
