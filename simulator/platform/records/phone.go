package records

import "encoding/json"

// Phone is a telephone that may log in. Its id is the user that it logs in as.
type Phone struct {
	Extension string `json:"extension"`        // by which its account calls it
	Number    string `json:"number,omitempty"` // E.164 digits that are its own: it calls with them, and is called by them
	Secret    string `json:"secret,omitempty"` // what is kept of its password
}

// phoneCodec stores a telephone with its secret and shows it without.
func phoneCodec() codec[Phone] {
	c := plain[Phone]()
	c.show = func(p Phone) ([]byte, error) {
		p.Secret = ""
		return json.Marshal(p)
	}
	return c
}

// Phone returns the telephone that logs in as a user.
func (r *Records) Phone(user string) (*Row[Phone], bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	row, ok := r.Phones.rows[user]
	return row, ok
}

// PhoneOf returns the telephone that an account has as an extension.
func (r *Records) PhoneOf(account, extension string) (*Row[Phone], bool) {
	for _, row := range r.Phones.List(account) {
		if row.Value.Extension == extension {
			return row, true
		}
	}
	return nil, false
}
