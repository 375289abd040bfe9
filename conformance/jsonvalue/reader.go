package jsonvalue

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Reader reads a long JSON text value by value, so that never the whole text is in memory, nor a single
// value that is too long.
type Reader struct {
	d    *json.Decoder
	left *allowance
}

// ErrTooLong means that one value of a text is longer than the reader's limit.
var ErrTooLong = errors.New("one value of it is longer than is read")

// NewReader returns a reader of a text; most is the maximum length of each value, in bytes.
func NewReader(in io.Reader, most int) *Reader {
	left := &allowance{in: in, most: most}
	return &Reader{json.NewDecoder(left), left}
}

// allowance is a reader that returns [ErrTooLong] once most bytes have been read for one value.
type allowance struct {
	in         io.Reader
	most, used int
}

// Read implements [io.Reader].
func (a *allowance) Read(p []byte) (int, error) {
	if a.used >= a.most {
		return 0, fmt.Errorf("%w: %d bytes", ErrTooLong, a.most)
	}
	n, err := a.in.Read(p[:min(len(p), a.most-a.used)])
	a.used += n
	return n, err
}

// Value reads the next value of the text into v, as encoding/json does.
func (r *Reader) Value(v any) error {
	r.left.used = 0
	return r.d.Decode(v)
}

func (r *Reader) token() (json.Token, error) {
	r.left.used = 0
	return r.d.Token()
}

// Members reads an object, or null. For every member it calls each with the name; each must then read the
// member's value.
func (r *Reader) Members(each func(name string) error) error {
	return r.inside('{', func() error {
		name, err := r.token()
		if err != nil {
			return err
		}
		return each(name.(string)) // what comes before a colon
	})
}

// Elements reads an array, or null. For every element it calls each, which must then read the element.
func (r *Reader) Elements(each func() error) error { return r.inside('[', each) }

func (r *Reader) inside(begins json.Delim, each func() error) error {
	first, err := r.token()
	switch {
	case err != nil:
		return err
	case first == nil:
		return nil
	case first != begins:
		return fmt.Errorf("want %q, not %v", begins.String(), Clip(fmt.Sprint(first), 20))
	}
	for r.d.More() {
		if err := each(); err != nil {
			return err
		}
	}
	_, err = r.token()
	return err
}
