//go:build !unix

package calls

import "io/fs"

// onDisk returns the size of a file.
func onDisk(f fs.FileInfo) int64 { return f.Size() }
