package speech

// FestivalVoices sets the folder of festival's voices.
func FestivalVoices(dir string) { festivalVoices = dir }
