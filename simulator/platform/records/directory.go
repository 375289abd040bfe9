package records

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/store/sqlitedb"
)

// User is a user who may log in.
type User struct {
	ID           string
	Organisation string
	Username     string
	Password     string // hashed by access.Passwords
	Roles        []string
	Generation   int // of the password: only tokens of the current one are valid
}

// Account is an account with the platform's private data.
type Account struct {
	api.Account
	Organisation string
	Client       string // SHA-256 of the client id, in hexadecimal
	Country      string // two lower-case letters, for parsing national numbers
	Address      api.Address
}

// DDI is a number with its account.
type DDI struct {
	api.DDI
	Account string
}

// directory holds users, accounts and numbers in memory.
type directory struct {
	organisations []api.Organisation
	users         map[string]*User // by username in lower case
	userIDs       []string         // usernames in order
	accounts      map[string]*Account
	accountIDs    []string // in order
	ddis          map[string]*DDI
	numbers       map[string]*DDI // by number
	ddiLists      map[string][]*DDI
}

func newDirectory() directory {
	return directory{
		users: map[string]*User{}, accounts: map[string]*Account{},
		ddis: map[string]*DDI{}, numbers: map[string]*DDI{}, ddiLists: map[string][]*DDI{},
	}
}

func (r *Records) readDirectory(ctx context.Context, db sqlitedb.Querier) error {
	d := &r.who
	for _, part := range []struct {
		statement string
		each      func(*sql.Rows) error
	}{
		{"SELECT id, name FROM organisations ORDER BY seq", d.readOrganisation},
		{"SELECT id, organisation, username, password, roles, generation FROM users ORDER BY seq", r.readUser},
		{"SELECT id, organisation, name, mbn, domain, client, country, address FROM accounts ORDER BY seq", r.readAccount},
		{"SELECT id, account, name FROM ddis ORDER BY seq", d.readDDI},
	} {
		if err := query(ctx, db, part.statement, part.each); err != nil {
			return err
		}
	}
	return nil
}

func (d *directory) readOrganisation(rows *sql.Rows) error {
	var o api.Organisation
	err := rows.Scan(&o.ID, &o.Name)
	d.organisations = append(d.organisations, o)
	return err
}

func (r *Records) readUser(rows *sql.Rows) error {
	var u User
	var roles string
	if err := rows.Scan(&u.ID, &u.Organisation, &u.Username, &u.Password, &roles, &u.Generation); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(roles), &u.Roles); err != nil {
		r.skipDamaged("users", u.Username, err)
		return nil
	}
	r.who.placeUser(&u)
	return nil
}

// readAccount reads an account. An account with a damaged address is read without the
// address.
func (r *Records) readAccount(rows *sql.Rows) error {
	var a Account
	var address string
	if err := rows.Scan(&a.ID, &a.Organisation, &a.Name, &a.MBN, &a.Domain, &a.Client, &a.Country, &address); err != nil {
		return err
	}
	if err := object([]byte(address), &a.Address); err != nil {
		r.skipDamaged("accounts", a.ID, err)
		a.Address = api.Address{}
	}
	r.who.placeAccount(&a)
	return nil
}

func (d *directory) readDDI(rows *sql.Rows) error {
	var n DDI
	err := rows.Scan(&n.ID, &n.Account, &n.Name)
	d.placeDDI(&n)
	return err
}

func (d *directory) placeUser(u *User) {
	key := strings.ToLower(u.Username)
	if d.users[key] == nil {
		d.userIDs = append(d.userIDs, key)
	}
	d.users[key] = u
}

func (d *directory) placeAccount(a *Account) {
	if d.accounts[a.ID] == nil {
		d.accountIDs = append(d.accountIDs, a.ID)
	}
	d.accounts[a.ID] = a
}

func (d *directory) placeDDI(n *DDI) {
	d.ddis[n.ID], d.numbers[n.Name] = n, n
	list := d.ddiLists[n.Account]
	d.ddiLists[n.Account] = append(list[:len(list):len(list)], n)
}
