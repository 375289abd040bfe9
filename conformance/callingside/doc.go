// Package callingside simulates a third party with a scripted world, and judges the voice
// platform that calls it. It knows about the platform only that it calls the five
// operations. Each scene is a customer request in its own world. The platform carries it
// out when the run requests it over HTTP (at the drive address), or a person does.
package callingside
