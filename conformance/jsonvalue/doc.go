// Package jsonvalue reads JSON as values with the JSON Pointer (RFC 6901) that leads to each. Absent values
// have a pointer, too, so that a rule can ask for /owner/name without asking for /owner first.
package jsonvalue
