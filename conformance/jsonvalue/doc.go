// Package jsonvalue reads JSON as values that know where they stand: each has the
// JSON Pointer (RFC 6901) that leads to it, also where nothing is. A rule asks for
// /owner/name without asking for /owner first.
package jsonvalue
