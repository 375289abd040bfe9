// Package spoken contains the prompts of the taxi plugin, in a template file for each
// language, and formats times, fares, numbers and names as people say them.
//
// [Load] reads the prompts, [Prompts.Speaker] makes a [Speaker] for one customer, and
// [Speaker.Say] gives the sentences of a prompt for a phone call ([Speaker.Write] for a
// chat). Data of a third party are copied unchanged to [Slots]; a sentence whose slot is
// absent is left out completely, so that no sentence contains "null" or ends in "from .".
//
// Names and addresses of a third party are untrusted: markup and control characters are
// removed ([Plain]), and a [Guard] removes phone numbers in any notation.
//
// # Prompt files
//
// A file has the name of its language (en-GB.tmpl) and consists of blocks:
//
//	{{define "K1"}}
//	Hello{{if .name}} {{.name}}{{end}}.
//	For a taxi now from {{.pickup}}, press {{.bookKey}}.
//	{{end}}
//
// Each line is one sentence, with slots (slotNames) in the syntax of text/template:
// {{.pickup}}, {{if}}, {{else}}, {{end}}, and, or, not. Each file has every prompt
// ([PromptIDs]). The key of a choice is also a slot: a choice that is not offered has no
// key, so its sentence is left out.
package spoken
