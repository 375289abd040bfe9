// Package speech turns text into sound and sound into text by programs of the
// machine it runs on. It knows calls and their lines only through package voice.
package speech
