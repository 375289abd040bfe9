//go:build race

package trial_test

// raced days take ten times as long, and each world has one goroutine: a few do.
const raced = true
