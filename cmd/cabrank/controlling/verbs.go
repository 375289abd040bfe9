package controlling

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/control/client"
)

// verb is an action that makes one call. Its first arguments are the ids of the call's path.
type verb struct {
	use, does string
	call      client.Route
	show      printer                       // prints the response; nil: "removed", and the id
	names     completion                    // completes the first argument; nil: nothing does
	flags     []string                      // sent as members of the body, or as parameters of the query
	set       func(body object, arg string) // what the argument after the ids means
	slow      bool
}

// verbs adds an action to a command for each of some verbs.
func (f *serverFlags) verbs(cmd *cobra.Command, all ...verb) *cobra.Command {
	var actions []cli.Action
	for _, v := range all {
		actions = append(actions, f.action(v))
	}
	return cli.WithActions(cmd, actions...)
}

// action returns the action that makes the call of a verb and prints the response.
func (f *serverFlags) action(v verb) cli.Action {
	a := cli.Action{Use: v.use, Does: v.does, Flags: v.flags, Run: func(cmd *cobra.Command, args []string) error {
		if v.slow {
			f.within = slowWithin
		}
		in, err := sent(cmd, v.call, v.flags)
		if err != nil {
			return err
		}
		ids := strings.Count(v.call.Path(), "{")
		if body, is := in.(object); is && len(args) > ids {
			v.set(body, args[ids])
		}
		if v.show == nil {
			return f.remove(cmd, v.call, args[:ids]...)
		}
		return f.ask(cmd, v.call, v.show, in, args[:ids]...)
	}}
	if v.names != nil {
		a.Complete = first(v.names)
	}
	return a
}

// listOr returns a function that calls list, or with an id as argument makes the call one and prints its response.
func (f *serverFlags) listOr(list func(*cobra.Command, []string) error, one client.Route, show printer) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return list(cmd, args)
		}
		return f.ask(cmd, one, show, nil, args[0])
	}
}

// remove makes a call that removes something, and prints the first of ids, or "all" if there is none.
func (f *serverFlags) remove(cmd *cobra.Command, call client.Route, ids ...string) error {
	if _, err := f.text(cmd.Context(), call, nil, ids...); err != nil {
		return err
	}
	name := append(ids, "all")[0]
	return f.printValue(map[string]string{"removed": name}, func(w io.Writer, _ []byte) error {
		_, err := fmt.Fprintln(w, "removed "+cli.Printable(name))
		return err
	})
}

// object is a JSON object.
type object = map[string]any

// setMember sets a member of an object, or of one inside it, such as clock.now. It reports whether nothing was
// replaced.
func setMember(o object, path string, value any) bool {
	name, below, isBelow := strings.Cut(path, ".")
	was, isSet := o[name]
	inner, isObject := was.(object)
	if !isBelow {
		o[name] = value
		return !isSet
	}
	if !isObject {
		inner = object{}
		o[name] = inner
	}
	return setMember(inner, below, value) && isSet == isObject
}

// moment is the value of a flag that is a time.
type moment string

func (m *moment) String() string { return string(*m) }
func (*moment) Type() string     { return "time" }

func (m *moment) Set(text string) error {
	if _, err := time.Parse(time.RFC3339, text); err != nil {
		return errors.New("want a time such as 2026-06-01T09:00:00Z")
	}
	*m = moment(text)
	return nil
}

// memberNote is the annotation of a flag with the member that it sets.
const memberNote = "member"

// sets notes which members of a request body flags set, where these have other names than the flags.
func sets(fs *pflag.FlagSet, members map[string]string) {
	for flag, member := range members {
		if err := fs.SetAnnotation(flag, memberNote, []string{member}); err != nil {
			panic(err) // the flag does not exist: a mistake in the program
		}
	}
}

// memberSetBy returns the member or the parameter that a flag sets.
func memberSetBy(flag *pflag.Flag) string { return append(flag.Annotations[memberNote], flag.Name)[0] }

// sent returns the input of a call for some flags: the parameters of the query, or an object for the body. Flags that
// are not given are left out, unless they have a default.
func sent(cmd *cobra.Command, call client.Route, flags []string) (any, error) {
	query, body := url.Values{}, object{}
	for _, name := range flags {
		flag := cmd.Flags().Lookup(name)
		list, isList := flag.Value.(pflag.SliceValue)
		if !flag.Changed && slices.Contains([]string{"", "[]", "0", "0s", "false"}, flag.DefValue) {
			continue
		}
		switch member := memberSetBy(flag); {
		case call.Method() == http.MethodGet && isList:
			query[member] = list.GetSlice()
		case call.Method() == http.MethodGet:
			query.Set(member, flag.Value.String())
		case name == "data" && !json.Valid([]byte(flag.Value.String())):
			return body, cli.UsageError(`--data is not JSON; want an object such as '{"skipDropOff":true}'`)
		default:
			setMember(body, member, valueOf(flag))
		}
	}
	if len(flags) == 0 || call.Method() == http.MethodGet {
		return query, nil
	}
	return body, nil
}

// valueOf returns the value of a flag as a request body contains it.
func valueOf(flag *pflag.Flag) any {
	text := flag.Value.String()
	if list, is := flag.Value.(pflag.SliceValue); is {
		return list.GetSlice()
	}
	if flag.Name == "data" || slices.Contains([]string{"int", "uint64", "float64", "bool"}, flag.Value.Type()) {
		return json.RawMessage(text)
	}
	return text
}

// table prints all in columns, or "no" and what if there are none. line returns a row, with tabs between the columns.
func table[T any](w io.Writer, what string, all []T, line func(T) string) error {
	if len(all) == 0 {
		_, err := fmt.Fprintln(w, "no "+what)
		return err
	}
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, one := range all {
		fmt.Fprintln(columns, line(one))
	}
	return columns.Flush()
}
