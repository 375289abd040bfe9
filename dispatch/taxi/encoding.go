package taxi

import "bytes"

// marks are the byte order marks, the longest first where one begins like another.
var marks = []struct{ bytes, encoding string }{
	{"\xff\xfe\x00\x00", "UTF-32"},
	{"\x00\x00\xfe\xff", "UTF-32"},
	{"\xff\xfe", "UTF-16"},
	{"\xfe\xff", "UTF-16"},
	{"\xef\xbb\xbf", "UTF-8 with a byte order mark"},
}

// EncodingOf names how a body is written that is not plain UTF-8, as JSON between systems
// has to be (RFC 8259, 8.1): "UTF-16", "UTF-32" or "UTF-8 with a byte order mark". It looks
// at the first bytes only, and returns "" for all others.
func EncodingOf(body []byte) string {
	for _, m := range marks {
		if bytes.HasPrefix(body, []byte(m.bytes)) {
			return m.encoding
		}
	}
	// JSON begins with two characters of ASCII, and so with zeros between them where a
	// character takes more than a byte.
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
