package calls

import "syscall"

// freeSpace returns the free disk space of a folder, in bytes.
func freeSpace(folder string) (bytes int64, known bool) {
	var stat syscall.Statfs_t
	if syscall.Statfs(folder, &stat) != nil {
		return 0, false
	}
	return int64(stat.Bavail) * stat.Bsize, true
}
