// Package hostile holds servers that mean harm to whoever calls them, for the tests of
// those who call: endless headers and bodies, bodies that are small on the wire and large
// in memory, answers that never end.
package hostile
