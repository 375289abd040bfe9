// Package callingside plays a third party with a scripted world, and judges whoever
// calls it: a voice platform, of which it needs to know nothing but that it calls the
// five operations. Each scene is a customer request in a world of its own; a platform
// acts it out when it is asked to over HTTP (the drive address), or a person does.
package callingside
