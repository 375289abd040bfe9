package records

import (
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/api"
)

// Organisations returns all organisations, oldest first.
func (r *Records) Organisations() []api.Organisation {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.who.organisations
}

// Organisation returns one organisation.
func (r *Records) Organisation(id string) (api.Organisation, bool) {
	for _, o := range r.Organisations() {
		if o.ID == id {
			return o, true
		}
	}
	return api.Organisation{}, false
}

// User returns the user with a name, in any case.
func (r *Records) User(username string) (*User, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	u, ok := r.who.users[strings.ToLower(username)]
	return u, ok
}

// Users returns the users of an organisation.
func (r *Records) Users(organisation string) []*User {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var list []*User
	for _, name := range r.who.userIDs {
		if u := r.who.users[name]; u.Organisation == organisation {
			list = append(list, u)
		}
	}
	return list
}

// Account returns one account.
func (r *Records) Account(id string) (*Account, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	a, ok := r.who.accounts[id]
	return a, ok
}

// Accounts returns the accounts of an organisation.
func (r *Records) Accounts(organisation string) []*Account {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var list []*Account
	for _, id := range r.who.accountIDs {
		if a := r.who.accounts[id]; a.Organisation == organisation {
			list = append(list, a)
		}
	}
	return list
}

// DDIs returns the numbers of an account.
func (r *Records) DDIs(account string) []*DDI {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.who.ddiLists[account]
}

// Numbers returns numbers as the API shows them.
func Numbers(ddis []*DDI) []api.DDI {
	list := []api.DDI{}
	for _, n := range ddis {
		list = append(list, n.DDI)
	}
	return list
}

// DDI returns the number with an id.
func (r *Records) DDI(id string) (*DDI, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	n, ok := r.who.ddis[id]
	return n, ok
}

// Number returns a number with its account.
func (r *Records) Number(digits string) (*DDI, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	n, ok := r.who.numbers[digits]
	return n, ok
}
