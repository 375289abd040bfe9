// Package callingside simulates a third party by a script, and judges the voice platform that calls
// it. It assumes only that the platform calls the five operations. Each scene is a customer request
// with its own caller and data. The platform carries it out when the run requests it over HTTP (at
// the drive address), or a person does.
package callingside
