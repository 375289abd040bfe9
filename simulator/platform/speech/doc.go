// Package speech turns text into sound and sound into text with programs that are
// installed on the machine. Of calls and lines it knows only the types of package voice.
//
// A [Speaker] is espeak-ng, flite, festival, pico2wave or any other command; a [Recogniser] is
// pocketsphinx, with a model of the expected answers, or any other command.
// [Programs] looks for them on the path. A command is a program with its arguments, in
// which these placeholders are replaced:
//
//	{text}      the text to speak; without it, the text is the program's input
//	{voice}     the name of the voice, such as en-GB-Standard-B
//	{language}  such as en-GB
//	{question}  what is asked for, as [voice.Expected] has it
//	{hints}     what is likely to be said, the likeliest first, separated by commas
//	{file}      a WAV file, which a speaker writes and a recogniser reads
//
// A speaker writes a WAV file to its standard output, or samples without a header: 16
// bits, mono, at 22050 Hz unless the command begins with the word rate=N. A recogniser
// reads a WAV file of 16 kHz from its standard input, and writes the text: a line, or a
// JSON object with the members text, confidence (0 to 1) or words, the confidence of
// each, and alternatives, an array of such objects.
//
// A program that takes long to start, such as one with a large model, can keep running:
// [Lines] describes its requests and responses.
//
// The speech of callers is not stored. It is written to a file only for pocketsphinx and
// for commands with {file}, in a directory that no other user can read. The file is
// removed when the program has ended.
package speech
