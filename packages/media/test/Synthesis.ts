/** Sounds made in code: what they are is known. Mono, at 22,050 samples a second. */

export const sampleRate = 22_050

/** Numbers between 0 and 1 that look random and are the same every time. */
const chance = (seed: number) => () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647

const silent = (seconds: number) => new Float32Array(Math.round(seconds * sampleRate))

/** Adds what `wave` says for `seconds`, from `start` seconds on. */
const add = (track: Float32Array, start: number, seconds: number, wave: (time: number) => number) => {
  const first = Math.round(start * sampleRate)
  const end = Math.min(track.length, first + Math.round(seconds * sampleRate))
  for (let i = first; i < end; i++) track[i] = track[i]! + wave((i - first) / sampleRate)
}

const hertz = (midi: number) => 440 * 2 ** ((midi - 69) / 12)

/** A note with overtones that dies away. */
const note = (midi: number, loudness: number) => (time: number) => {
  let sum = 0
  for (const overtone of [1, 2, 3, 4]) sum += Math.sin(2 * Math.PI * hertz(midi) * overtone * time) / overtone ** 1.5
  return loudness * sum * Math.exp(-2 * time)
}

const pitches = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
/** Roots and thirds of tonic, fourth, fifth and tonic again; a minor key's fifth is major. */
const chords = { major: [[0, 4], [5, 4], [7, 4], [0, 4]], minor: [[0, 3], [5, 3], [7, 4], [0, 3]] } as const

/** Drums on every beat and chords that go round in `key`, like `Am` or `F#`. */
export const song = (tempo: number, key: string, seconds = 30): Float32Array => {
  const track = silent(seconds)
  const random = chance(7)
  const beat = 60 / tempo
  const tonic = 57 + ((pitches.indexOf(key.replace("m", "")) - 9 + 12) % 12)
  for (let i = 0; i * beat < seconds; i++) {
    const [root, third] = chords[key.endsWith("m") ? "minor" : "major"][(i >> 2) % 4]!
    if (i % 2 === 0) add(track, i * beat, 0.2, (t) => 0.5 * Math.sin(2 * Math.PI * (50 + 60 * Math.exp(-30 * t)) * t))
    else add(track, i * beat, 0.15, (t) => 0.3 * (random() * 2 - 1) * Math.exp(-25 * t))
    for (const half of [0, 0.5]) {
      add(track, (i + half) * beat, 0.04, (t) => 0.1 * (random() * 2 - 1) * Math.exp(-100 * t))
    }
    if (i % 4 !== 0) continue
    for (const step of [-12, 0, third, 7]) add(track, i * beat, 4 * beat, note(tonic + root + step, 0.12))
  }
  return track
}

/** Short ticks and nothing else. */
export const clicks = (tempo: number, seconds = 20): Float32Array => {
  const track = silent(seconds)
  const tick = (time: number) => Math.sin(2 * Math.PI * 1000 * time) * Math.exp(-200 * time)
  for (let at = 0; at < seconds; at += 60 / tempo) add(track, at, 0.02, tick)
  return track
}

/** Ticks that begin and end at once, each a tone for a hundredth of a second. */
export const ticks = (tempo: number, pitch: number, seconds = 20): Float32Array => {
  const track = silent(seconds)
  for (let at = 0; at < seconds; at += 60 / tempo) add(track, at, 0.01, (time) => Math.sin(2 * Math.PI * pitch * time))
  return track
}

/** Ticks at moments that follow no beat. */
export const unevenClicks = (seconds = 20): Float32Array => {
  const track = silent(seconds)
  const random = chance(5)
  const tick = (time: number) => Math.sin(2 * Math.PI * 1000 * time) * Math.exp(-200 * time)
  for (let at = 0.1; at < seconds; at += 0.1 + 1.2 * random()) add(track, at, 0.02, tick)
  return track
}

/** One tone that rises from `low` to `high` hertz, by as many hertz or as many octaves each second. */
export const sweep = (low: number, high: number, by: "hertz" | "octaves", seconds = 20): Float32Array =>
  silent(seconds).map((_, i) => {
    const time = i / sampleRate
    const octaves = Math.log(high / low)
    const turns = by === "hertz"
      ? low * time + ((high - low) * time ** 2) / (2 * seconds)
      : (low * seconds * (Math.exp((octaves * time) / seconds) - 1)) / octaves
    return 0.5 * Math.sin(2 * Math.PI * turns)
  })

/**
 * Like somebody talking: syllables of uneven length in phrases with pauses, a voice that glides up and down, vowels by
 * their formants, hissing consonants.
 */
export const speech = (seconds = 30): Float32Array => {
  const track = silent(seconds)
  const random = chance(11)
  const vowels = [[730, 1090], [270, 2290], [300, 870], [530, 1840], [570, 840]] as const
  let at = 0.2
  while (at < seconds) {
    const syllables = 4 + Math.floor(random() * 9)
    for (let i = 0; i < syllables; i++) {
      const consonant = 0.03 + 0.08 * random()
      add(track, at, consonant, () => 0.05 * (random() * 2 - 1))
      at += consonant
      const length = 0.07 + 0.2 * random()
      const [low, high] = vowels[Math.floor(random() * vowels.length)]!
      const start = 100 + 70 * random()
      const glide = (random() - 0.5) * 120
      add(track, at, length, (t) => {
        const phase = 2 * Math.PI * (start * t + (glide * t * t) / (2 * length))
        let sum = 0
        for (let overtone = 1; overtone <= 24; overtone++) {
          const distance = (formant: number) => Math.exp(-(((overtone * start - formant) / 150) ** 2))
          sum += (distance(low) + 0.6 * distance(high) + 0.05) * Math.sin(overtone * phase)
        }
        return 0.15 * sum * Math.sin((Math.PI * t) / length)
      })
      at += length + (random() < 0.2 ? 0.05 : 0)
    }
    at += 0.25 + 0.6 * random()
  }
  return track
}

export const noise = (seconds = 20): Float32Array => silent(seconds).map(chance(3)).map((value) => value * 2 - 1)

export const tone = (seconds = 20): Float32Array =>
  silent(seconds).map((_, i) => 0.5 * Math.sin((2 * Math.PI * 440 * i) / sampleRate))

export const silence = (seconds = 10): Float32Array => silent(seconds)
