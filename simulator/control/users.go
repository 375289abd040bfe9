package control

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// Calls of a [Server].
var (
	ListUsers = Call[url.Values, UserList]{get("listUsers", "/users", "The users, by id", listUsers).
			takes(parameter{name: "status", means: "any of these, separated by commas", example: "BLACKLISTED"}, pageLimit, pageAfter)}
	ReadUser = Call[url.Values, User]{get("readUser", "/users/{key}", "A user", readUser)}
	PutUser  = Call[dispatch.UserChange, User]{put("putUser", "/users/{key}", "Change a user, or create one for a number that nobody has", putUser).mayCreate().
			more("Members that are left out stay unchanged; `data` is replaced as a whole.").refuses(http.StatusNotFound)}
	ForgetUser = Call[url.Values, None]{del("forgetUser", "/users/{key}", "Delete a user, as if there had never been one", forgetUser).says("the user is deleted").
			refuses(http.StatusConflict)}
)

// longestName limits the length of a user's name, in characters.
const longestName = 200

// User is an end user as /user returns it, with the ids of the journeys in place of the
// journeys.
type User struct {
	taxi.EndUser

	Journeys []taxi.JourneyID `json:"journeys"` // active or booked ahead, soonest first
}

func (c *call) shownUser(u taxi.EndUser) User {
	shown := User{u, []taxi.JourneyID{}}
	for _, j := range c.host.Records().Live(c, u.UserID) {
		shown.Journeys = append(shown.Journeys, j.JourneyID)
	}
	return shown
}

// UserList is a page of the users, by id.
type UserList struct {
	Users []User `json:"users"`
	Next  string `json:"next,omitempty"` // the value of after for the next page
}

func listUsers(c *call) (list UserList, err error) {
	q, err := c.query()
	if err != nil {
		return list, err
	}
	limit, err := q.limit()
	if err != nil {
		return list, err
	}
	statuses := q.list("status")
	for i, s := range statuses {
		if statuses[i] = strings.ToUpper(s); !taxi.UserStatus(statuses[i]).Known() {
			return list, refuseParameter("status", "is %q, want some of ENABLED, DISABLED, BLACKLISTED", s)
		}
	}
	all, err := c.host.Records().Users(c)
	if err != nil {
		return list, err
	}
	from, found := slices.BinarySearchFunc(all, taxi.UserID(q.get("after")), func(u *store.User, id taxi.UserID) int {
		return strings.Compare(string(u.UserID), string(id))
	})
	if found {
		from++
	}
	list.Users = []User{}
	for _, u := range all[from:] {
		if !c.world().Service().Knows(u) || len(statuses) > 0 && !slices.Contains(statuses, string(u.Status)) {
			continue
		}
		if len(list.Users) == limit {
			list.Next = string(list.Users[limit-1].UserID)
			break
		}
		list.Users = append(list.Users, c.shownUser(u.EndUser))
	}
	return list, nil
}

func readUser(c *call) (User, error) {
	u, err := c.world().Service().FindUser(c, c.path("key"))
	if err != nil {
		return User{}, noUser(err)
	}
	return c.shownUser(u.EndUser), nil
}

// putUser changes or creates a user. Members that are left out stay unchanged; data is
// replaced as a whole.
func putUser(c *call, change dispatch.UserChange) (User, error) {
	if n := utf8.RuneCountInString(change.Name); n > longestName {
		return User{}, taxi.InvalidField("/name", "range", "has %d characters, at most %d are kept", n, longestName)
	}
	u, created, err := c.world().PutUser(c, c.path("key"), change)
	if err != nil {
		return User{}, err
	}
	if created {
		c.status = http.StatusCreated
	}
	return c.shownUser(u), nil
}

func forgetUser(c *call) (None, error) { return None{}, c.world().ForgetUser(c, c.path("key")) }
