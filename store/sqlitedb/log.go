package sqlitedb

import (
	"encoding/binary"
	"os"
)

// Sizes of a write-ahead log (https://sqlite.org/fileformat2.html#walformat).
const (
	logHeader   = 32
	frameHeader = 24
)

// framesBehind returns how many frames of the write-ahead log of a database file SQLite does not read, since one
// before them is damaged. SQLite takes the first frame with a wrong checksum for the end of the log.
func framesBehind(path string) (frames int) {
	text, err := os.ReadFile(path + "-wal")
	if err != nil || len(text) < logHeader {
		return 0
	}
	var order binary.ByteOrder = binary.LittleEndian
	if text[3]&1 != 0 {
		order = binary.BigEndian
	}
	sum := logSum{order: order}
	sum.add(text[:24])
	salt, size := string(text[16:24]), frameHeader+int(binary.BigEndian.Uint32(text[8:12]))
	if size < frameHeader+512 || size > frameHeader+65536 || !sum.is(text[24:32]) {
		return 0 // SQLite reads nothing of it
	}
	broken := false
	for rest := text[logHeader:]; len(rest) >= size; rest = rest[size:] {
		ours := string(rest[8:16]) == salt
		switch {
		case broken && ours:
			frames++
		case !broken:
			sum.add(rest[:8])
			sum.add(rest[frameHeader:size])
			broken = !ours || !sum.is(rest[16:24])
		}
	}
	return frames
}

// logSum is the checksum of a log, of all that was added.
type logSum struct {
	order binary.ByteOrder
	a, b  uint32
}

func (s *logSum) add(text []byte) {
	for ; len(text) >= 8; text = text[8:] {
		s.a += s.order.Uint32(text) + s.b
		s.b += s.order.Uint32(text[4:]) + s.a
	}
}

func (s *logSum) is(text []byte) bool {
	return s.a == binary.BigEndian.Uint32(text) && s.b == binary.BigEndian.Uint32(text[4:])
}
