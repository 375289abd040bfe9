//go:build race

package ledger

const raceDetector = true
