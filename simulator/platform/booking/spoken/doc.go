// Package spoken is what the taxi plugin says: prompts in template files, one a
// language, and the way people say times, fares, numbers and names.
//
// [Load] reads the prompts, [Prompts.Speaker] makes a [Speaker] for one customer,
// and [Speaker.Say] gives the sentences of a prompt for a phone call
// ([Speaker.Write] for a chat). What a third party sent goes into [Slots] as it
// came; a sentence whose slot is absent is left out whole, so no sentence ever
// reads "null" or ends in "from .".
//
// Names and addresses of a third party are data: markup and control characters
// are taken out ([Plain]), and a [Guard] keeps telephone numbers from being said
// in any spelling.
//
// # Prompt files
//
// A file is named after its language (en-GB.tmpl) and is made of blocks:
//
//	{{define "K1"}}
//	Hello{{if .name}} {{.name}}{{end}}.
//	For a taxi now from {{.pickup}}, press {{.bookKey}}.
//	{{end}}
//
// Each line is one sentence, with slots ([SlotNames]) in the syntax of text/template: {{.pickup}},
// {{if}}, {{else}}, {{end}}, and, or, not. Each file has every prompt ([PromptIDs]). The key of a choice is a slot as well: a
// choice that is not offered has no key, so its sentence is left out.
package spoken
