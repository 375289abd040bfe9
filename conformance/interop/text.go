package interop

import (
	"fmt"
	"slices"
	"strings"
)

// Lines returns the forecast as text: what breaks and what is not offered, with evidence, and
// the names of the others. With verbose, all predictions have all evidence. Texts of the runs
// are quoted unchanged, so the caller must make them printable.
func (f *Forecast) Lines(verbose bool) []string {
	lines := []string{
		"vendor    " + f.Vendor,
		"platform  " + f.Platform,
		"",
	}
	for _, v := range []Verdict{Breaks, Without, Unknown, Works} {
		all := f.of(v)
		if verbose || v == Breaks || v == Without {
			lines = append(lines, grouped(all, verbose)...)
			continue
		}
		if len(all) > 0 {
			lines = append(lines, fmt.Sprintf("%-7s  %s", v, names(all)))
		}
	}
	return append(lines, "", f.total())
}

// grouped returns the lines of predictions with their evidence. Unless verbose, predictions
// with the same reason as an earlier one are only named there.
func grouped(all []Prediction, verbose bool) []string {
	var lines []string
	for i, p := range all {
		same := func(o Prediction) bool { return !verbose && o.Reason == p.Reason }
		if slices.ContainsFunc(all[:i], same) {
			continue
		}
		lines = append(lines, p.lines(verbose)...)
		if more := slices.DeleteFunc(slices.Clone(all[i+1:]), func(o Prediction) bool { return !same(o) }); len(more) > 0 {
			lines = append(lines, "         for the same reason: "+names(more))
		}
	}
	return lines
}

// of returns the predictions with a verdict.
func (f *Forecast) of(v Verdict) []Prediction {
	var all []Prediction
	for _, p := range f.Predictions {
		if p.Verdict == v {
			all = append(all, p)
		}
	}
	return all
}

func names(all []Prediction) string {
	var ids []string
	for _, p := range all {
		ids = append(ids, p.ID)
	}
	return strings.Join(ids, ", ")
}

// total returns the number of predictions of each kind, and names -v.
func (f *Forecast) total() string {
	return fmt.Sprintf("%d break, %d not offered, %d work, %d unknown (-v says why)", f.Counts[Breaks], f.Counts[Without], f.Counts[Works], f.Counts[Unknown])
}

// lines returns one prediction with its evidence: the deciding piece, or all of it.
func (p *Prediction) lines(verbose bool) []string {
	lines := []string{fmt.Sprintf("%-7s  %s: %s", p.Verdict, p.ID, p.Sentence)}
	for _, seen := range [][]Evidence{p.Vendor, p.Platform} {
		if !verbose {
			seen = seen[:min(1, len(seen))]
		}
		for _, e := range seen {
			lines = append(lines, "         "+e.String())
		}
	}
	return lines
}

// String describes the evidence, such as "platform  call 12 /phoneNumber: …".
func (e Evidence) String() string {
	var parts []string
	if e.Check != "" {
		parts = append(parts, e.Check+" "+string(e.Outcome))
	}
	if e.Call > 0 {
		parts = append(parts, fmt.Sprintf("call %d", e.Call))
	}
	if e.Observation > 0 {
		parts = append(parts, fmt.Sprintf("observation %d", e.Observation))
	}
	if e.Pointer != "" {
		parts = append(parts, e.Pointer)
	}
	text := fmt.Sprintf("%-8s  %s", e.Side, strings.Join(parts, ", "))
	if e.Says != "" {
		text += ": " + e.Says
	}
	return text
}
