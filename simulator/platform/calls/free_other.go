//go:build !linux

package calls

// freeSpace is unknown on this system.
func freeSpace(string) (bytes int64, known bool) { return 0, false }
