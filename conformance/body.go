package conformance

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// Body is the body of a call as it was sent. In JSON it is a string, so that
// people can read a run file; bytes that are not text are {"base64": "…"}.
type Body []byte

type binaryBody struct {
	Base64 []byte `json:"base64"`
}

// MarshalJSON implements [json.Marshaler].
func (b Body) MarshalJSON() ([]byte, error) {
	if utf8.Valid(b) {
		return json.Marshal(string(b))
	}
	return json.Marshal(binaryBody{b})
}

// UnmarshalJSON implements [json.Unmarshaler].
func (b *Body) UnmarshalJSON(text []byte) error {
	var words string
	if err := json.Unmarshal(text, &words); err == nil {
		*b = Body(words)
		return nil
	}
	var binary binaryBody
	if err := json.Unmarshal(text, &binary); err != nil {
		return fmt.Errorf(`body: want a string or {"base64": …}: %w`, err)
	}
	*b = binary.Base64
	return nil
}
