package strict

import "strconv"

// Element returns the JSON Pointer of an array's element.
func Element(array string, i int) string { return array + "/" + strconv.Itoa(i) }
