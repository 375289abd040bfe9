package main

import (
	"slices"

	"github.com/spf13/pflag"
)

// What check may be about, in the words of its errors.
const (
	kindLive   = "a live server"
	kindHAR    = "a HAR file"
	kindSelf   = "--self, which lends the suite all that it needs"
	kindMatrix = "--matrix"
	kindInit   = "--init"
)

// kind returns what a call of check is about.
func (f *checkFlags) kind(args []string) string {
	switch {
	case f.setUp:
		return kindInit
	case f.matrix:
		return kindMatrix
	case f.self:
		return kindSelf
	case len(args) == 1 && isHAR(args[0]):
		return kindHAR
	}
	return kindLive
}

// heeded refuses a flag that was given on the command line and would do nothing.
// What comes from the environment or a file is meant for other calls, too.
func (f *checkFlags) heeded(flags *pflag.FlagSet, args []string) (err error) {
	kind := f.kind(args)
	flags.Visit(func(flag *pflag.Flag) {
		if err == nil && flag.Annotations[sourceNote] == nil && !heeds(kind, flag.Name) {
			err = usageError("--%s does nothing for %s", flag.Name, kind)
		}
	})
	return err
}

// everywhere are the flags that every kind heeds.
var everywhere = []string{"config", "color", "help"}

// heeds reports whether a flag of check does anything for a kind.
func heeds(kind, flag string) bool {
	if slices.Contains(everywhere, flag) {
		return true
	}
	switch kind {
	case kindInit:
		return flag == "init" || flag == "profile"
	case kindMatrix:
		return slices.Contains([]string{"self", "matrix", "seed", "json"}, flag)
	case kindSelf:
		return !belongs(flag, new(hookFlags).add) && !slices.Contains([]string{
			"base", "auth", "token-url", "scope", "ca", "cert", "key", "allow-host", "phone", "matrix", "init",
		}, flag)
	case kindHAR:
		return !belongs(flag, new(hookFlags).add) && !belongs(flag, new(targetFlags).add) &&
			!slices.Contains([]string{"replay", "matrix", "self", "init"}, flag)
	}
	return flag != "base"
}

// belongs reports whether a flag is one of those that a group adds.
func belongs(flag string, add func(*pflag.FlagSet)) bool {
	group := pflag.NewFlagSet("", pflag.ContinueOnError)
	add(group)
	return group.Lookup(flag) != nil
}
