package osm_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/simulator/town/osm"
)

// message is a protocol buffer under construction.
type message []byte

func (m message) number(field int, v uint64) message {
	return binary.AppendUvarint(binary.AppendUvarint(m, uint64(field)<<3), v)
}

func (m message) bytes(field int, b []byte) message {
	m = binary.AppendUvarint(binary.AppendUvarint(m, uint64(field)<<3|2), uint64(len(b)))
	return append(m, b...)
}

// list packs numbers; deltas packs the signed differences between them.
func list(vs ...uint64) (b []byte) {
	for _, v := range vs {
		b = binary.AppendUvarint(b, v)
	}
	return b
}

func deltas(vs ...int64) (b []byte) {
	last := int64(0)
	for _, v := range vs {
		b = binary.AppendVarint(b, v-last)
		last = v
	}
	return b
}

// blob frames a block; data is compressed, as it is in real files.
func blob(t *testing.T, kind string, content []byte) []byte {
	t.Helper()
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	_, err := w.Write(content)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	body := message{}.number(2, uint64(len(content))).bytes(3, z.Bytes())
	header := message{}.bytes(1, []byte(kind)).number(3, uint64(len(body)))
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(len(header))), header...), body...)
}

// smallExtract is a triangle of streets as a real .osm.pbf file: dense nodes, a
// plain one, which may have tags, ways with tags, one of them with a point outside the extract.
func smallExtract(t *testing.T, tags ...uint64) []byte {
	t.Helper()
	texts := message{}
	for _, s := range []string{"", "highway", "residential", "name", "Mill Lane", "Corn Hill", "oneway", "-1", "footway", "barrier", "bollard"} {
		texts = texts.bytes(1, []byte(s))
	}
	dense := message{}.bytes(1, deltas(10, 20, 30)).
		bytes(8, deltas(547_000_000, 547_040_000, 547_000_000)).
		bytes(9, deltas(21_000_000, 21_000_000, 21_060_000))
	plain := message{}.number(1, 40<<1)
	for _, tag := range tags {
		plain = plain.bytes(2, list(tag)).bytes(3, list(tag+1))
	}
	plain = plain.number(8, 547_020_000<<1).number(9, 21_030_000<<1)
	way := func(keys, values, refs []byte) message {
		return message{}.number(1, 1).bytes(2, keys).bytes(3, values).bytes(8, refs)
	}
	data := message{}.bytes(1, texts).
		bytes(2, message{}.bytes(2, dense)).
		bytes(2, message{}.bytes(1, plain)).
		bytes(2, message{}.
			bytes(3, way(list(1, 3), list(2, 4), deltas(10, 20, 40, 30))).
			bytes(3, way(list(1, 3, 6), list(2, 5, 7), deltas(10, 30, 99))).
			bytes(3, way(list(1), list(8), deltas(20, 30))))
	file := blob(t, "OSMHeader", message{}.bytes(4, []byte("OsmSchema-V0.6")))
	return append(file, blob(t, "OSMData", data)...)
}

func TestReadPBF(t *testing.T) {
	tn, err := osm.ReadPBF(bytes.NewReader(smallExtract(t)), town.ImportOptions{Name: "Cornhill"})
	require.NoError(t, err)
	require.Equal(t, town.OpenStreetMap, tn.Attribution)
	require.Len(t, tn.Streets, 2, "nobody drives on the footway")

	corner := tn.Point(tn.Nodes[0])
	require.InDelta(t, 54.70, corner.Latitude, 1e-7)
	require.InDelta(t, 2.10, corner.Longitude, 1e-7)

	a, b := at(t, tn, "2 corn hill"), at(t, tn, "40 corn hill")
	r := tn.NewRouter()
	with, ok := r.Route(a, b, nil)
	require.True(t, ok)
	against, ok := r.Route(b, a, nil)
	require.True(t, ok)
	require.Greater(t, against.Length, with.Length, "numbers run the way one may drive")

	barred, err := osm.ReadPBF(bytes.NewReader(smallExtract(t, 9)), town.ImportOptions{})
	require.NoError(t, err)
	require.Len(t, barred.Streets, 1, "a bollard stands in Mill Lane")
	require.Equal(t, 1, barred.LeftOut, "Corn Hill is one-way")
}

func TestReadPBFRefusesInvalidFiles(t *testing.T) {
	good := smallExtract(t)
	header := blob(t, "OSMHeader", nil)
	endless := append(bytes.Clone(header), 0, 0, 0, 20)
	endless = append(endless, message{}.bytes(1, []byte("OSMData")).number(3, 1<<64-1)...)
	for _, tc := range []struct {
		name string
		in   []byte
		says string
		is   error
	}{
		{name: "nothing", says: "empty"},
		{name: "another format", in: []byte("<osm version='0.6'></osm>"), says: "not an .osm.pbf file"},
		{name: "cut off", in: good[:len(good)-9], says: "block 1: unexpected EOF"},
		{name: "a negative length", in: endless, says: "block 1"},
		{name: "not compressed right", in: bytes.ReplaceAll(good, []byte{0x78, 0x9c}, []byte{0, 0}), says: "block 1: zlib"},
		{name: "no data", in: header, says: "no streets", is: town.ErrNoStreets},
		{name: "large", in: append(good, make([]byte, 2_000)...), says: "bytes, at most 2000", is: town.ErrTooLarge},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := osm.ReadPBF(bytes.NewReader(tc.in), town.ImportOptions{MaxBytes: 2_000})
			require.ErrorContains(t, err, tc.says)
			if tc.is != nil {
				require.ErrorIs(t, err, tc.is)
			}
		})
	}
}

// TestReadPBFLimitsUnpackedSize checks that files that are small and unpack to much more are refused.
func TestReadPBFLimitsUnpackedSize(t *testing.T) {
	header := blob(t, "OSMHeader", nil)
	texts := message{}.bytes(1, bytes.Repeat(message{}.bytes(1, nil), 1<<20+1))
	groups := bytes.Repeat(message{}.bytes(2, nil), 1<<16+1)
	numbers := message{}.bytes(2, message{}.bytes(3, message{}.bytes(8, make([]byte, 1<<20+1))))
	names := message{}.bytes(1, nil).bytes(1, []byte("highway")).bytes(1, []byte("residential"))
	empty := message{}.bytes(3, message{}.bytes(2, list(1)).bytes(3, list(2)))
	streets := message{}.bytes(1, names).bytes(2, bytes.Repeat(empty, 101))
	tags := message{}.bytes(1, nil).bytes(1, []byte("type")).bytes(1, []byte("multipolygon")).bytes(1, []byte("amenity")).bytes(1, []byte("hospital")).bytes(1, []byte("name"))
	ring := message{}.bytes(2, list(1, 3, 5)).bytes(3, list(2, 4, 4)).bytes(8, make([]byte, 101)).bytes(9, make([]byte, 101)).bytes(10, bytes.Repeat([]byte{1}, 101))
	outlines := message{}.bytes(1, tags).bytes(2, message{}.bytes(4, ring))
	room := blob(t, "OSMData", message{}.bytes(30, make([]byte, 4<<20)))
	for says, file := range map[string][]byte{
		"block 1: map too large: more than 1048576 texts":   append(bytes.Clone(header), blob(t, "OSMData", texts)...),
		"block 1: map too large: more than 65536 groups":    append(bytes.Clone(header), blob(t, "OSMData", groups)...),
		"block 1: map too large: more than 1048576 numbers": append(bytes.Clone(header), blob(t, "OSMData", numbers)...),
		"block 1: map too large: more than 100 points":      append(bytes.Clone(header), blob(t, "OSMData", streets)...),
		"more than 100 points":                              append(bytes.Clone(header), blob(t, "OSMData", outlines)...),
		"40 times as large as the file":                     append(bytes.Clone(header), bytes.Repeat(room, 20)...),
	} {
		_, err := osm.ReadPBF(bytes.NewReader(file), town.ImportOptions{MaxPoints: 100})
		require.ErrorIs(t, err, town.ErrTooLarge)
		require.ErrorContains(t, err, says)
	}
}

func FuzzReadPBF(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("\x00\x00\x00\x0d\x0a\x09OSMHeader\x18\x02\x0a\x00\x00\x00\x00\x0b\x0a\x07OSMData\x18\x04\x0a\x02\x12\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		tn, err := osm.ReadPBF(bytes.NewReader(in), town.ImportOptions{MaxBytes: 1 << 16, MaxPoints: 500})
		require.Equal(t, err != nil, tn == nil)
	})
}
