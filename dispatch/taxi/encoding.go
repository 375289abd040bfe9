package taxi

import "bytes"

// marks lists the byte order marks of encodings; if one is a prefix of another, the longer is first.
var marks = []struct{ bytes, encoding string }{
	{"\xff\xfe\x00\x00", "UTF-32"},
	{"\x00\x00\xfe\xff", "UTF-32"},
	{"\xff\xfe", "UTF-16"},
	{"\xfe\xff", "UTF-16"},
	{"\xef\xbb\xbf", "UTF-8 with a byte order mark"},
}

// EncodingOf names the encoding of a body that is not plain UTF-8, which JSON between systems
// must be (RFC 8259, 8.1): "UTF-16", "UTF-32" or "UTF-8 with a byte order mark". It reads
// only the first bytes, and returns "" for other bodies.
func EncodingOf(body []byte) string {
	for _, m := range marks {
		if bytes.HasPrefix(body, []byte(m.bytes)) {
			return m.encoding
		}
	}
	// JSON starts with two ASCII characters, with zeros between them if characters are
	// longer than a byte.
	if len(body) < 4 {
		return ""
	}
	switch first := [4]bool{body[0] != 0, body[1] != 0, body[2] != 0, body[3] != 0}; first {
	case [4]bool{true, false, false, false}, [4]bool{false, false, false, true}:
		return "UTF-32"
	case [4]bool{true, false, true, false}, [4]bool{false, true, false, true}:
		return "UTF-16"
	}
	return ""
}
