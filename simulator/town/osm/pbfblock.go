package osm

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/town"
)

// pbfBlock is a decompressed PrimitiveBlock of the file.
type pbfBlock struct {
	texts       [][]byte
	groups      [][]byte
	granularity int64 // nanodegrees per unit
	lat, lon    int64 // offsets, nanodegrees
}

// Sizes that the format allows.
const (
	maxBlobHeader = 64 << 10
	maxBlob       = 32 << 20
)

// Limits that no real extract reaches: writers put 8,000 objects into a block, and zlib
// compresses a map a few times. They limit the memory and time for a small file.
const (
	mostTexts   = 1 << 20 // per block
	mostGroups  = 1 << 16 // per block
	mostUnpacks = 40      // uncompressed bytes in all blocks per byte of the file, in addition to one blob
)

// eachBlock reads a file of a size from its start and calls visit for each data block.
func eachBlock(r io.ReadSeeker, size int64, visit func(*pbfBlock) error) error {
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return err
	}
	left := maxBlob + mostUnpacks*size
	for n := 0; ; n++ {
		kind, blob, err := readBlob(r)
		switch {
		case errors.Is(err, io.EOF) && n > 0:
			return nil
		case errors.Is(err, io.EOF):
			return errors.New("the file is empty")
		case n == 0 && (err != nil || kind != "OSMHeader"):
			return errors.New("not an .osm.pbf file")
		case err != nil:
			return fmt.Errorf("block %d: %w", n, err)
		}
		if kind == "OSMData" {
			raw, err := inflate(blob)
			if err != nil {
				return fmt.Errorf("block %d: %w", n, err)
			}
			if left -= int64(len(raw)); left < 0 {
				return fmt.Errorf("block %d: %w: the blocks are more than %d times as large as the file", n, town.ErrTooLarge, mostUnpacks)
			}
			if err := visitBlock(raw, visit); err != nil {
				return fmt.Errorf("block %d: %w", n, err)
			}
		}
	}
}

// readBlob reads the next blob, still compressed. The error is io.EOF only at a valid end
// of the file.
func readBlob(r io.Reader) (kind string, blob []byte, err error) {
	var length [4]byte
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return "", nil, err // io.EOF, or unexpected within the four bytes
	}
	header, err := readPart(r, uint64(binary.BigEndian.Uint32(length[:])), maxBlobHeader)
	if err != nil {
		return "", nil, err
	}
	size := uint64(0)
	err = eachField(header, func(field int, v uint64, data []byte) error {
		switch field {
		case 1:
			kind = string(data)
		case 3:
			size = v
		}
		return nil
	})
	if err != nil {
		return "", nil, err
	}
	blob, err = readPart(r, size, maxBlob)
	return kind, blob, err
}

func readPart(r io.Reader, size, most uint64) ([]byte, error) {
	if size > most {
		return nil, fmt.Errorf("%w: a part of %d bytes, at most %d", errWire, size, most)
	}
	b, err := io.ReadAll(io.LimitReader(r, int64(size)))
	if err == nil && uint64(len(b)) < size {
		err = io.ErrUnexpectedEOF
	}
	return b, err
}

// visitBlock parses a block.
func visitBlock(raw []byte, visit func(*pbfBlock) error) error {
	b := pbfBlock{granularity: 100}
	err := eachField(raw, func(field int, v uint64, data []byte) error {
		switch field {
		case 1:
			return eachField(data, func(field int, _ uint64, text []byte) error {
				if b.texts = append(b.texts, text); len(b.texts) > mostTexts {
					return fmt.Errorf("%w: more than %d texts in a block", town.ErrTooLarge, mostTexts)
				}
				return nil
			})
		case 2:
			if b.groups = append(b.groups, data); len(b.groups) > mostGroups {
				return fmt.Errorf("%w: more than %d groups in a block", town.ErrTooLarge, mostGroups)
			}
		case 17:
			b.granularity = int64(v)
		case 19:
			b.lat = int64(v)
		case 20:
			b.lon = int64(v)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return visit(&b)
}

// inflate returns the content of a blob: uncompressed, or compressed with zlib, the only
// formats in use.
func inflate(blob []byte) ([]byte, error) {
	var plain, packed []byte
	err := eachField(blob, func(field int, _ uint64, data []byte) error {
		switch field {
		case 1:
			plain = data
		case 3:
			packed = data
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case plain != nil:
		return plain, nil
	case packed == nil:
		return nil, errors.New("a blob that is neither plain nor compressed with zlib")
	}
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(io.LimitReader(z, maxBlob+1))
	if err == nil && len(raw) > maxBlob {
		err = fmt.Errorf("%w: more than %d bytes in a blob", errWire, maxBlob)
	}
	return raw, err
}

// entry classifies an object by its tags, which are given as indices of texts.
func (b *pbfBlock) entry(keys, values []uint64) (entry, error) {
	var e entry
	for i, k := range keys {
		if i >= len(values) || k >= uint64(len(b.texts)) || values[i] >= uint64(len(b.texts)) {
			return e, fmt.Errorf("%w: a tag that is not in the table of texts", errWire)
		}
		e.tag(b.texts[k], b.texts[values[i]])
	}
	return e, nil
}

// point converts a node's numbers to degrees.
func (b *pbfBlock) point(lat, lon int64) taxi.Point {
	return taxi.Point{
		Latitude:  float64(b.lat+b.granularity*lat) / 1e9,
		Longitude: float64(b.lon+b.granularity*lon) / 1e9,
	}
}
