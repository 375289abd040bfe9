package control

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control/tokens"
	"github.com/cabrank/cabrank/simulator/worlds"
)

// Calls of a [Server].
var (
	ListTokens = Call[url.Values, TokenList]{get("listTokens", "/tokens", "The tokens of persons and teams, by name", listTokens).shared().needs(tokens.MayEverything)}
	AddToken   = Call[TokenOrder, NewToken]{post("addToken", "/tokens", "Add a token for a person or a team", addToken).shared().needs(tokens.MayEverything).created().
			more("The response contains the token, which is not shown again: the server keeps its SHA-256 only. A name that exists is refused; " +
			"remove it first. A server without a token of its own (`serve --control-token`) refuses the first one, since nobody could add another.").
		refuses(http.StatusConflict)}
	RemoveToken = Call[url.Values, None]{del("removeToken", "/tokens/{name}", "Remove a token, which ends within a second", removeToken).shared().needs(tokens.MayEverything).
			more("Its sandboxes stay.").says("the token is removed")}
)

// Limits of tokens.
const (
	mostTokens   = 500
	mostOwned    = 20 // sandboxes of one token, unless its order says otherwise
	longestToken = 3650 * 24 * time.Hour
	codeNoToken  = taxi.Code("token-not-found") // 404
	codeTaken    = taxi.Code("token-exists")    // 409
	codeTooMany  = taxi.Code("too-many-tokens") // 409
	codeNoOwn    = taxi.Code("no-server-token") // 409; the server has no token of its own
)

// TokenOrder describes a new token.
type TokenOrder struct {
	Name string `json:"name" schema:"pattern: '^[a-z0-9-]{1,40}$'"` // of the person or the team; it is the owner of the sandboxes that the token creates

	// `read`: all GET calls of every world and the metrics; `sandboxes`: also creating
	// sandboxes, and everything in those that it owns; `everything`: all calls
	May tokens.Right `json:"may"`

	// how many sandboxes it may own at once; 0: 20. Only with the right `sandboxes`
	Sandboxes int `json:"sandboxes,omitempty" schema:"minimum: 0, maximum: 200"`

	For string `json:"for,omitempty" schema:"examples: [30d]"` // time until it expires, such as 30d or 8h, or the moment; left out: it does not expire
}

// NewToken is a token with its secret, which is not shown again.
type NewToken struct {
	tokens.Token `schema:"inline: true"`

	Secret string `json:"token"` // to be sent as Authorization: Bearer
}

// TokenList lists the tokens of a server, by name.
type TokenList struct {
	Tokens []tokens.Token `json:"tokens"`
}

func listTokens(c *call) (TokenList, error) {
	all, err := c.server.tokens.List(c)
	if err != nil {
		return TokenList{}, err
	}
	list := TokenList{[]tokens.Token{}}
	for _, one := range all {
		list.Tokens = append(list.Tokens, one.Token)
	}
	return list, nil
}

func addToken(c *call, o TokenOrder) (out NewToken, err error) {
	out.Token, err = o.token(c.server.options.Now())
	if err != nil {
		return out, err
	}
	out.Secret = rand.Text()
	hash := sha256.Sum256([]byte(out.Secret))
	err = c.server.tokens.Change(c, func(all []tokens.Kept) ([]tokens.Kept, error) {
		switch i, found := tokens.At(all, o.Name); {
		case found:
			return nil, taxi.NewProblem(http.StatusConflict, codeTaken, "there is a token %s already; remove it first", o.Name)
		case len(all) >= mostTokens:
			return nil, taxi.NewProblem(http.StatusConflict, codeTooMany, "there are %d tokens already; remove one", len(all))
		case len(all) == 0 && c.server.options.Token == "":
			return nil, taxi.NewProblem(http.StatusConflict, codeNoOwn, "the server has no token of its own, and would ask everybody for one from now on; start it with --control-token")
		default:
			return slices.Insert(all, i, tokens.Kept{Token: out.Token, Hash: hash[:]}), nil
		}
	})
	return out, err
}

// token returns the token that an order describes, or an error for an invalid member.
func (o *TokenOrder) token(now time.Time) (t tokens.Token, err error) {
	t = tokens.Token{Name: o.Name, May: o.May, Sandboxes: o.Sandboxes, Made: now.UTC()}
	switch {
	case !tokenName.MatchString(o.Name):
		return t, taxi.InvalidField("/name", "format", tokenNameSays)
	case !o.May.Known():
		return t, taxi.InvalidField("/may", "range", "is %.40q, want %s, %s or %s", o.May, tokens.MayRead, tokens.MaySandboxes, tokens.MayEverything)
	case o.Sandboxes < 0 || o.Sandboxes > worlds.Most:
		return t, taxi.InvalidField("/sandboxes", "range", "is %d, want 1 to %d", o.Sandboxes, worlds.Most)
	case o.Sandboxes > 0 && o.May != tokens.MaySandboxes:
		return t, taxi.InvalidField("/sandboxes", "range", "goes with the right %s only", tokens.MaySandboxes)
	case o.May == tokens.MaySandboxes:
		t.Sandboxes = cmp.Or(o.Sandboxes, mostOwned)
	}
	if o.For != "" {
		if t.Expires, err = ahead(o.For, now, longestToken); err != nil {
			return t, taxi.InvalidField("/for", "range", "%v", err)
		}
	}
	return t, nil
}

func removeToken(c *call) (None, error) {
	name := c.path("name")
	return None{}, c.server.tokens.Change(c, func(all []tokens.Kept) ([]tokens.Kept, error) {
		i, found := tokens.At(all, name)
		if !found {
			return nil, taxi.NewProblem(http.StatusNotFound, codeNoToken, "there is no token %.40q", name)
		}
		return slices.Delete(all, i, i+1), nil
	})
}

// person is who makes a request.
type person struct {
	name      string // of the token; "": the server's own token, or no token is needed
	may       tokens.Right
	sandboxes int          // how many sandboxes the token may own
	token     *tokens.Kept // nil: the server's own token, or no token is needed
}

// anybody is the person with all rights: one with the server's own token, or on a server without tokens.
var anybody = person{may: tokens.MayEverything}

// owns reports whether a person may do everything in a world.
func (p person) owns(w *worlds.World) bool {
	return p.may == tokens.MayEverything || p.may == tokens.MaySandboxes && w.Name != "" && w.Owner == p.name
}

// questions are the calls of the journal that only read, although their method is POST.
var questions = []string{"/requests/find", "/requests/count", "/requests/wait", "/verify"}

// forbidden returns the problem of a person without the right that a call needs in a world.
func (p person) forbidden(needs tokens.Right, w *worlds.World) error {
	of := ""
	if w.Name != "" {
		of = "; the sandbox " + w.Name + " belongs to " + cmp.Or(w.Owner, "nobody")
	}
	if w.Name != "" && w.Owner == p.name {
		needs = tokens.MaySandboxes
	}
	return taxi.NewProblem(http.StatusForbidden, taxi.CodeForbidden, "this needs the right %s, and the token %s has the right %s%s", needs, p.name, p.may, of)
}
