package dispatchside

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// badBody is one invalid or unusual body and its Content-Type.
type badBody struct {
	raw   string
	label string // Content-Type; "": JSON's
}

// megabyte is a JSON string of about 1 MB.
var megabyte = sync.OnceValue(func() string { return `"` + strings.Repeat("taxi ", 1<<20/5) + `"` })

// badForms has, for each intent of bad calls, a function that makes bad bodies from a valid one.
var badForms = map[conformance.Intent]func(c *testUser, op conformance.Operation, sound object) []badBody{
	rules.IntentBadEmpty:   func(*testUser, conformance.Operation, object) []badBody { return plainly("") },
	rules.IntentBadNotJSON: func(*testUser, conformance.Operation, object) []badBody { return plainly("{not json", "<request/>") },
	rules.IntentBadCut: func(_ *testUser, _ conformance.Operation, sound object) []badBody {
		whole := string(encode(sound))
		return plainly(whole[:len(whole)*2/3])
	},
	rules.IntentBadNoObject: func(_ *testUser, _ conformance.Operation, sound object) []badBody {
		return plainly("["+string(encode(sound))+"]", `"taxi"`, "null")
	},
	rules.IntentBadTypes: mistyped,
	rules.IntentBadHuge: func(_ *testUser, _ conformance.Operation, sound object) []badBody {
		return added(sound, "padding", megabyte())
	},
	rules.IntentBadNested: func(_ *testUser, _ conformance.Operation, sound object) []badBody {
		return added(sound, "nested", strings.Repeat("[", 1000)+strings.Repeat("]", 1000))
	},
	rules.IntentBadDoubled: doubled,
	rules.IntentBadUTF8: func(_ *testUser, _ conformance.Operation, sound object) []badBody {
		return append(added(sound, "note", "\"caf\xe9\""), added(sound, "note", `"\ud800"`)...)
	},
	rules.IntentBadControls: func(_ *testUser, op conformance.Operation, sound object) []badBody {
		return append(withLongerText(op, sound, "\x00\x07"), added(sound, "note", "\"a\x01b\"")...)
	},
	rules.IntentBadLabel: mislabelled,
	rules.IntentBadLong: func(_ *testUser, op conformance.Operation, sound object) []badBody {
		return withLongerText(op, sound, strings.Repeat("taxi ", 2000))
	},
	rules.IntentBadNumbers: extremeNumbers,
	rules.IntentBadCapitals: func(_ *testUser, _ conformance.Operation, sound object) []badBody {
		other := object{}
		for key, v := range sound {
			other[strings.ToUpper(key[:1])+key[1:]] = v
		}
		return plainly(string(encode(other)))
	},
}

func plainly(bodies ...string) []badBody {
	var all []badBody
	for _, raw := range bodies {
		all = append(all, badBody{raw: raw})
	}
	return all
}

// added returns a valid body with a member appended to it; raw is the member's value as JSON.
func added(sound object, key, raw string) []badBody {
	whole := strings.TrimSuffix(string(encode(sound)), "}")
	if len(sound) > 0 {
		whole += ","
	}
	return plainly(whole + strconv.Quote(key) + ":" + raw + "}")
}

// requiredOf lists the required members of each operation; for /config, which has
// none, the optional ones.
var requiredOf = map[conformance.Operation][]string{
	rules.OpConfig: {"data"},
	rules.OpUser:   {"phoneNumber"},
	rules.OpBook:   {"name", "phoneNumber", "pickup", "dropoffs", "pickupTime"},
	rules.OpCancel: {"userId", "journeyId"},
	rules.OpStatus: {"userId", "journeyId"},
}

// mistyped returns bodies with strings replaced by objects, and objects and arrays by strings. No
// server can understand them.
func mistyped(_ *testUser, op conformance.Operation, sound object) []badBody {
	var all []badBody
	for _, key := range requiredOf[op] {
		var wrong any = "taxi"
		if _, text := sound[key].(string); text {
			wrong = object{"value": 1}
		}
		all = append(all, plainly(string(encode(with(sound, object{key: wrong}))))...)
	}
	return all
}

// doubled returns a body that has the last required field twice, first with another value.
func doubled(c *testUser, op conformance.Operation, sound object) []badBody {
	keys := requiredOf[op]
	key := keys[len(keys)-1]
	var other any = "no-such-" + c.uniqueText()
	if _, text := sound[key].(string); !text {
		other = object{}
	} else if op == rules.OpUser || op == rules.OpBook {
		other = sound[key] // neither value touches other users' data
	}
	return plainly(fmt.Sprintf("{%q:%s,%s", key, encode(other), strings.TrimPrefix(string(encode(sound)), "{")))
}

// textOf has the field of each operation that holds free text, or comes closest to it.
var textOf = map[conformance.Operation]string{rules.OpConfig: "data", rules.OpUser: "phoneNumber", rules.OpBook: "name", rules.OpCancel: "journeyId", rules.OpStatus: "journeyId"}

// withLongerText returns bodies with text appended to the field with free text and, in a booking, to the
// pickup's address.
func withLongerText(op conformance.Operation, sound object, text string) []badBody {
	key := textOf[op]
	changed := object{key: object{"note": text}}
	if was, ok := sound[key].(string); ok {
		changed[key] = was + text
	}
	all := plainly(string(encode(with(sound, changed))))
	if pickup, ok := sound["pickup"].(taxi.Address); ok && op == rules.OpBook {
		pickup.Address += text
		all = append(all, plainly(string(encode(with(sound, object{"pickup": pickup}))))...)
	}
	return all
}

func mislabelled(_ *testUser, _ conformance.Operation, sound object) []badBody {
	form := url.Values{}
	for key, v := range sound {
		form.Set(key, fmt.Sprint(v))
	}
	return []badBody{
		{string(encode(sound)), "text/plain"},
		{string(encode(sound)), "application/xml"},
		{form.Encode(), "application/x-www-form-urlencoded"},
	}
}

func extremeNumbers(_ *testUser, op conformance.Operation, sound object) []badBody {
	if op != rules.OpBook {
		return append(added(sound, "number", "1e400"), added(sound, "number", "[-0,1e-7]")...)
	}
	var all []badBody
	for _, point := range []string{`{"longitude":1e400,"latitude":53.8}`, `{"longitude":-0,"latitude":1e-7}`} {
		all = append(all, added(with(sound, object{"pickup": nil}), "pickup", `{"address":"1 Edge Row","location":`+point+`}`)...)
	}
	return all
}

// header returns the HTTP headers for a bad body. A large body is sent with Expect: 100-continue,
// so that a refusal arrives before the connection breaks.
func (b badBody) header(class conformance.Intent) http.Header {
	switch {
	case class == rules.IntentBadHuge:
		return http.Header{"Expect": {"100-continue"}}
	case b.label == "":
		return nil
	}
	return http.Header{"Content-Type": {b.label}}
}
