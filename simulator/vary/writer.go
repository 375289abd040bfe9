package vary

import (
	"bytes"
	"hash/crc32"
	"math/rand/v2"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// writer writes one response in another form.
type writer struct {
	level  Level
	key    uint64 // of the world
	owner  uint64 // identifies the owner of the current object
	style  style
	source rand.PCG
	chance *rand.Rand // for this response
	reader jsontext.Decoder
	fields []field // of the objects that are being written, the inner ones last
	text   []byte
}

// field is a member of an object, or an element of a list, as it was received.
type field struct {
	name  []byte // without quotation marks
	value []byte
	what  member
}

// castagnoli is the polynomial for which processors have an instruction.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// draw returns a number that depends on a key and a text.
func draw[T string | []byte](key uint64, text T) uint64 {
	z := key ^ uint64(crc32.Checksum([]byte(text), castagnoli))*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// once reports whether a draw selects a variation with these odds at a level.
func (o odds) once(l Level, draw uint64) bool { return o[l] > 0 && draw%o[l] == 0 }

// begin selects the form of a response.
func (w *writer) begin(path string, answer []byte, l Level, key uint64) {
	w.level, w.key, w.owner = l, key, draw(key, path)
	w.source.Seed(w.owner, draw(key, answer))
	if w.chance == nil {
		w.chance = rand.New(&w.source)
	}
	w.style = drawStyle(l, w.chance)
	w.fields, w.text = w.fields[:0], w.text[:0]
}

// write writes an object in the selected form; false: the text is not an object.
func (w *writer) write(text []byte, s *shape) ([]byte, bool) {
	if !w.value(bytes.TrimSpace(text), member{in: s}, 0) {
		return nil, false
	}
	if w.style.lines {
		w.text = append(w.text, '\n')
	}
	return w.text, true
}

// value writes a value with the variations of a member, and reports whether it is valid JSON.
func (w *writer) value(text []byte, m member, depth int) bool {
	if len(text) == 0 {
		return false
	}
	inner := text[0] == '{' || text[0] == '['
	switch {
	case inner && w.level == Mild && (m.in == nil || m.in.unknown[Mild] == 0):
		w.text = append(w.text, text...) // most of a response, which need not be parsed
		return true
	case text[0] == '{':
		return w.object(text, m.in, depth)
	case text[0] == '[':
		return w.list(text, m, depth)
	}
	w.text = w.style.leaf(w.text, text, m.kind)
	return true
}

// list writes a list, and reports whether it is valid JSON.
func (w *writer) list(text []byte, m member, depth int) bool {
	first, ok := w.elements(text)
	if !ok {
		return false
	}
	w.text = append(w.text, '[')
	for i := first; i < len(w.fields); i++ {
		w.separate(i == first, depth+1)
		if !w.value(w.fields[i].value, m, depth+1) {
			return false
		}
	}
	w.end(first, ']', depth)
	return true
}

// object writes an object with the variations of a shape. A nil shape, as for data,
// allows none.
func (w *writer) object(text []byte, s *shape, depth int) bool {
	first, ok := w.members(text)
	if !ok {
		return false
	}
	if s != nil {
		w.choose(first, s)
	}
	if w.style.shuffled {
		all := w.fields[first:]
		w.chance.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	w.text = append(w.text, '{')
	for i := first; i < len(w.fields); i++ {
		f := w.fields[i]
		w.separate(i == first, depth+1)
		w.text = append(append(append(w.text, '"'), f.name...), '"', ':')
		if w.style.lines {
			w.text = append(w.text, ' ')
		}
		if !w.value(f.value, f.what, depth+1) {
			return false
		}
	}
	w.end(first, '}', depth)
	return true
}

// separate writes what comes before each value of an object or a list.
func (w *writer) separate(first bool, depth int) {
	if !first {
		w.text = append(w.text, ',')
	}
	w.newLine(depth)
}

// end writes what comes after the last value of an object or a list, and removes its
// fields.
func (w *writer) end(first int, bracket byte, depth int) {
	if len(w.fields) > first {
		w.newLine(depth)
	}
	w.fields = w.fields[:first]
	w.text = append(w.text, bracket)
}

func (w *writer) newLine(depth int) {
	if w.style.lines {
		w.text = append(w.text, '\n')
		for range depth {
			w.text = append(w.text, "  "...)
		}
	}
}

// choose removes and adds members of the object whose fields begin at first.
func (w *writer) choose(first int, s *shape) {
	for _, f := range w.fields[first:] {
		if string(f.name) == s.id {
			w.owner = draw(w.key, f.value)
		}
	}
	bare := s.bare.once(w.level, draw(w.owner, "bare"))
	left, listed := w.fields[:first], false
	for _, f := range w.fields[first:] {
		f.what = s.members[string(f.name)]
		if listed = listed || string(f.name) == s.adds; f.what.required || !bare && !w.absent(f) {
			left = append(left, f)
		}
	}
	w.fields = left
	if s.adds != "" && !listed && draw(w.owner, s.adds)%2 == 0 {
		w.fields = append(w.fields, field{name: []byte(s.adds), value: []byte("[]")})
	}
	if s.unknown.once(w.level, w.chance.Uint64()) {
		w.fields = append(w.fields, unknownField(w.level, w.chance))
	}
}

// absent reports whether a member is left out.
func (w *writer) absent(f field) bool {
	if f.what.only != "" && string(f.value) != f.what.only {
		return false
	}
	if f.what.with != "" {
		return f.what.absent.once(w.level, draw(w.owner, f.what.with))
	}
	return f.what.absent.once(w.level, draw(w.owner, f.name))
}

// members parses the members of an object, and returns the index of the first among the
// fields.
func (w *writer) members(text []byte) (first int, ok bool) {
	first = len(w.fields)
	w.reader.Reset(bytes.NewBuffer(text), asWritten)
	if _, err := w.reader.ReadToken(); err != nil {
		return first, false
	}
	for w.reader.PeekKind() == '"' {
		name, ok := w.next(text)
		value, too := w.next(text)
		if !ok || !too {
			return first, false
		}
		w.fields = append(w.fields, field{name: name[1 : len(name)-1], value: value})
	}
	return first, w.ends(text)
}

// asWritten skips checks that our own responses always pass: unique names and valid
// UTF-8.
var asWritten = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// elements is [writer.members] for a list, whose elements have no names.
func (w *writer) elements(text []byte) (first int, ok bool) {
	first = len(w.fields)
	w.reader.Reset(bytes.NewBuffer(text), asWritten)
	if _, err := w.reader.ReadToken(); err != nil {
		return first, false
	}
	for w.reader.PeekKind() != ']' {
		value, ok := w.next(text)
		if !ok {
			return first, false
		}
		w.fields = append(w.fields, field{value: value})
	}
	return first, w.ends(text)
}

// ends parses the end of an object or a list, and reports whether nothing follows it in the text.
func (w *writer) ends(text []byte) bool {
	_, err := w.reader.ReadToken()
	return err == nil && w.reader.InputOffset() == int64(len(text))
}

// next parses the next value, and returns its part of the text; false: the text is invalid.
func (w *writer) next(text []byte) ([]byte, bool) {
	value, err := w.reader.ReadValue()
	end := w.reader.InputOffset()
	return text[end-int64(len(value)) : end], err == nil
}

// unknownField returns a member that the interface does not define.
func unknownField(l Level, chance *rand.Rand) field {
	number := strconv.FormatUint(uint64(chance.Uint32()), 36)
	kinds := []struct{ name, value string }{
		{"channel", `"radio-` + number[:1] + `"`},
		{"revision", strconv.Itoa(chance.IntN(100))},
		{"isRepeatCustomer", "false"},
		{"vendorRef", `"` + number + `"`},
		// The following are only used at Rich.
		{"tags", `["` + number + `",7,null,[]]`},
		{"meta", `{"source":{"id":"` + number + `","rank":1.5e1},"kept":true}`},
		{"depot", "null"},
		{"remark", `"caf\u00e9 \"` + number + `\"\n\ud83d\ude95"`},
	}
	if l == Mild {
		kinds = kinds[:4]
	}
	k := kinds[chance.IntN(len(kinds))]
	return field{name: []byte(k.name), value: []byte(k.value)}
}
