package sip

import (
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	message "github.com/emiago/sipgo/sip"
	"github.com/icholy/digest"
)

// Limits of the lifetime of a registration.
const (
	leastBound = 30 * time.Second
	mostBound  = 10 * time.Minute
)

// registrar stores the telephones that are logged in. A new login of a user from another address replaces the previous
// one.
type registrar struct {
	mu    sync.Mutex
	bound map[string]*binding // by user
}

// binding is the address of a telephone. Calls go to the address from which its request was received, since
// there may be a router in between.
type binding struct {
	contact   message.Uri
	source    netip.AddrPort
	transport string
	expires   time.Time
}

// at returns the address of a user's telephone; false if it is not logged in.
func (r *registrar) at(user string, now time.Time) (binding, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	b := r.bound[user]
	if b == nil || !b.expires.After(now) {
		return binding{}, false
	}
	return *b, true
}

// bind logs a telephone in, or out if its lifetime is 0. It returns false if too many are logged in.
func (r *registrar) bind(user string, b binding, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !b.expires.After(now) {
		delete(r.bound, user)
		return true
	}
	if r.bound[user] == nil && len(r.bound) >= mostPhones {
		for name, old := range r.bound {
			if !old.expires.After(now) {
				delete(r.bound, name)
			}
		}
		if len(r.bound) >= mostPhones {
			return false
		}
	}
	r.bound[user] = &b
	return true
}

// Registered reports whether a telephone is logged in.
func (s *Server) Registered(user string) bool {
	_, ok := s.phones.at(user, s.options.Clock.Now())
	return ok
}

// register handles REGISTER: it logs a telephone in or out, or returns its address.
func (s *Server) register(r *message.Request, tx message.ServerTransaction) {
	user, ok := s.loggedIn(r, tx, message.StatusUnauthorized)
	if !ok {
		return
	}
	if user != r.To().Address.User {
		s.answer(r, tx, message.StatusForbidden)
		return
	}
	now := s.options.Clock.Now()
	if contact := r.Contact(); contact != nil {
		life, ok := lifeOf(r, contact)
		if all := contact.Address.Wildcard; all && life > 0 || !all && (contact.Address.Scheme != "sip" || contact.Address.Host == "") {
			s.answer(r, tx, message.StatusBadRequest) // nobody could be called there
			return
		}
		if !ok {
			s.answer(r, tx, message.StatusIntervalToBrief, message.NewHeader("Min-Expires", seconds(leastBound)))
			return
		}
		b := binding{contact: *contact.Address.Clone(), source: sourceOf(r), transport: r.Transport(), expires: now.Add(life)}
		if !s.phones.bind(user, b, now) {
			s.answer(r, tx, message.StatusServiceUnavailable)
			return
		}
		s.options.Log.Info("sip: telephone", "user", user, "registered", life > 0)
	}
	b, bound := s.phones.at(user, now)
	if !bound {
		s.answer(r, tx, message.StatusOK)
		return
	}
	s.answer(r, tx, message.StatusOK, &message.ContactHeader{
		Address: b.contact, Params: message.HeaderParams{{K: "expires", V: seconds(b.expires.Sub(now))}},
	})
}

// lifeOf returns the lifetime that a contact requests; ok is false if it is too short.
func lifeOf(r *message.Request, contact *message.ContactHeader) (time.Duration, bool) {
	asked, given := contact.Params.Get("expires")
	if !given {
		asked = valueOf(r, "Expires")
	}
	n, err := strconv.ParseUint(asked, 10, 32)
	switch life := time.Duration(n) * time.Second; {
	case err != nil:
		return mostBound, true
	case life == 0:
		return 0, true
	case life < leastBound:
		return 0, false
	default:
		return min(life, mostBound), true
	}
}

func seconds(d time.Duration) string { return strconv.Itoa(int(d / time.Second)) }

// loggedIn returns the user of a request's credentials. Without valid credentials, it sends a challenge
// with a status, 401 or 407.
func (s *Server) loggedIn(r *message.Request, tx message.ServerTransaction, status int) (user string, ok bool) {
	header, challenge := "Authorization", "WWW-Authenticate"
	if status == message.StatusProxyAuthRequired {
		header, challenge = "Proxy-Authorization", "Proxy-Authenticate"
	}
	stale := false
	if credentials, err := digest.ParseCredentials(valueOf(r, header)); err == nil {
		phone, known := s.options.Exchange.Phone(credentials.Username)
		came := s.nonces.check(credentials, phone.Secret, r.Method.String(), s.options.Clock.Now())
		if known && came == loginRight {
			s.meet(sourceOf(r))
			return phone.User, true
		}
		stale = known && came == loginStale
		if !stale && came == loginWrong && s.warns.AllowN(s.options.Clock.Now(), 1) {
			s.options.Log.Warn("sip: wrong password or user", "address", sourceOf(r).Addr().String())
		}
	}
	nonce := s.nonces.issue(s.random(16), s.options.Clock.Now())
	value := `Digest realm="` + Realm + `", nonce="` + nonce + `", algorithm=MD5, qop="auth"`
	if stale {
		value += ", stale=true"
	}
	s.refuse(r, tx, status, message.NewHeader(challenge, value))
	return "", false
}

// capabilities handles OPTIONS.
func (s *Server) capabilities(r *message.Request, tx message.ServerTransaction) {
	if s.lineOf(r) == nil && tagOf(r.To().Params) != "" {
		s.refuse(r, tx, message.StatusCallTransactionDoesNotExists)
		return
	}
	s.answer(r, tx, message.StatusOK, allow, message.NewHeader("Accept", "application/sdp"), message.NewHeader("Supported", "timer"))
}

// asPhone reports whether a request is from a telephone rather than a trunk, which may have the same address:
// it has credentials, or the user of a telephone.
func (s *Server) asPhone(r *message.Request) bool {
	if valueOf(r, "Proxy-Authorization", "Authorization") != "" {
		return true
	}
	_, known := s.options.Exchange.Phone(r.From().Address.User)
	return known
}

// transportOf returns sipgo's name of a transport.
func transportOf(name string) string {
	if strings.EqualFold(name, "tcp") {
		return "TCP"
	}
	return "UDP"
}
