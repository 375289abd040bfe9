package speech

// FestivalVoices sets where festival's voices are.
func FestivalVoices(dir string) { festivalVoices = dir }
