//go:build !unix

package calls

import "io/fs"

// onDisk is how many bytes a file takes.
func onDisk(f fs.FileInfo) int64 { return f.Size() }
