// Package hostile has servers that try to harm their clients, for tests of clients: endless headers and
// bodies, bodies that are small on the wire and large in memory, answers that never end.
package hostile
