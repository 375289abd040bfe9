// Package har writes and reads calls as HAR 1.2, the form in which browsers record traffic.
package har
