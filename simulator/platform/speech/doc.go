// Package speech turns text into sound and sound into text by programs of the
// machine it runs on. It knows calls and their lines only through package voice.
//
// A [Speaker] is espeak-ng, flite, pico2wave or any other command; a [Recogniser] is
// pocketsphinx, with a grammar of what may be answered, or any other command.
// [Find] looks for them on the path. A command is the words of a program, with
// placeholders:
//
//	{text}      the text to speak; without it the text is the program's input
//	{voice}     the name of the voice, such as en-GB-Standard-B
//	{language}  such as en-GB
//	{hints}     what is likely to be heard, with commas between
//	{file}      a WAV file that is written by who speaks, and read by who hears
//
// Who speaks writes a WAV file to its output, or bare samples: 16 bits, mono, at
// 22050 a second unless the command begins with the word rate=N. Who hears gets a WAV
// file of 16 kHz as its input, and writes what was said: a line of text, or an object
// of JSON with the members text, confidence (0 to 1) and alternatives, an array of
// such objects.
//
// A program that takes long to start, as one with a large model does, stays up: see
// [Lines] for what it is asked and answers.
//
// Nothing that a caller says is kept. It is written to a file only for a program whose
// command asks for {file}, in a directory that nobody else may read, and the file is
// removed when the program has ended.
package speech
