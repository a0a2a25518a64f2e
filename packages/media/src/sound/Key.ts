/**
 * Detects the musical key from sound: how much of each of the twelve pitches sounds,
 * compared with how much of each listeners find in every key (Krumhansl and
 * Kessler's profiles).
 */
import { framesIn, spectra } from "./Fourier.ts"

/** At 22,050 Hz: 1.3 Hz a bin, fine enough for the semitones of a bass. */
const size = 16_384
const hop = size / 4
/** Thirds of a semitone, so that instruments tuned a little off concert pitch fall into place. */
const bins = 36
const lowestHertz = 60
const highestHertz = 2_000
const shortestSeconds = 4
/** A frame whose strongest partial is weaker holds no tone. */
const silence = 1e-3
/** How well the best key must agree: less is drums, speech or noise. */
const leastAgreement = 0.6
/** How well the other pitches must agree without the strongest: a tone or a click is in no key. */
const leastWithoutStrongest = 0.4

/** How much of what sounds must continue from frame to frame at its pitch: of music more than half does, of a gliding tone none. */
const leastSteady = 0.3
/** Hundredths of a semitone that a pitch may seem to move when it doesn't. */
const steadyCents = 10
/** Of the time, how much must be filled with sound: ticks, however high, are in no key. */
const leastFilled = 0.2
const fillFrame = 512
/** Against the loudest moment. */
const filledFrom = 0.05

const names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
const major = [6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88]
const minor = [6.33, 2.68, 3.52, 5.38, 2.6, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17]

/** The key, spelled like `Am` or `F#`, or null when none stands out. The loudest of `samples` are near 1. */
export const keyOf = (samples: Float32Array, sampleRate: number): string | null => {
  const pitches = filled(samples) < leastFilled ? null : pitchesIn(samples, sampleRate)
  if (pitches === null) return null
  let best = { name: "", agreement: -1, expected: pitches }
  for (const [tonic, name] of names.entries()) {
    for (const [profile, mode] of [[major, ""], [minor, "m"]] as const) {
      const expected = pitches.map((_, pitch) => profile[(pitch - tonic + 12) % 12]!)
      const agreement = correlation(pitches, expected)
      if (agreement > best.agreement) best = { name: name + mode, agreement, expected }
    }
  }
  const strongest = pitches.indexOf(Math.max(...pitches))
  const others = correlation(pitches.toSpliced(strongest, 1), best.expected.toSpliced(strongest, 1))
  return best.agreement < leastAgreement || others < leastWithoutStrongest ? null : best.name
}

/** In how much of the time something sounds, 0 to 1. */
const filled = (samples: Float32Array): number => {
  const loudness = Array.from({ length: Math.floor(samples.length / fillFrame) }, (_, frame) => {
    let sum = 0
    for (let i = frame * fillFrame; i < (frame + 1) * fillFrame; i++) sum += samples[i]! ** 2
    return Math.sqrt(sum)
  })
  const loudest = loudness.reduce((most, one) => Math.max(most, one), 0)
  return loudness.filter((one) => one > 0 && one >= loudest * filledFrom).length / Math.max(loudness.length, 1)
}

interface Partial {
  /** Hundredths of a semitone. */
  readonly cents: number
  readonly weight: number
}

interface Tones {
  /** How much of each third of a semitone it holds, 1 in all. */
  readonly thirds: Float64Array
  /** From low to high. */
  readonly partials: ReadonlyArray<Partial>
}

/** How much of a frame continues at a pitch of the one before. */
const goingOn = (partials: ReadonlyArray<Partial>, before: ReadonlyArray<Partial>): number => {
  let sum = 0
  let first = 0
  for (const { cents, weight } of partials) {
    while (first < before.length && before[first]!.cents < cents - steadyCents) first++
    if (first < before.length && before[first]!.cents <= cents + steadyCents) sum += weight
  }
  return sum
}

/** How much of each pitch sounds, C first; null when too little does, or none continues. */
const pitchesIn = (samples: Float32Array, sampleRate: number): ReadonlyArray<number> | null => {
  const sounding = new Float64Array(bins)
  let frames = 0
  let weight = 0
  let steady = 0
  let before: ReadonlyArray<Partial> = []
  if (framesIn(samples, { hop, size }) > 0) {
    spectra(samples, { hop, size }, (power) => {
      const frame = tones(power, sampleRate)
      if (frame === null) return
      frames++
      for (let bin = 0; bin < bins; bin++) sounding[bin] = sounding[bin]! + frame.thirds[bin]!
      weight += frame.partials.reduce((sum, partial) => sum + partial.weight, 0)
      steady += goingOn(frame.partials, before)
      before = frame.partials
    })
  }
  return frames * hop < shortestSeconds * sampleRate || steady < weight * leastSteady ? null : semitones(sounding)
}

/** What sounds in a frame; null for silence. */
const tones = (power: Float64Array, sampleRate: number): Tones | null => {
  const from = Math.ceil((lowestHertz * size) / sampleRate)
  const to = Math.floor((highestHertz * size) / sampleRate)
  let strongest = 0
  for (let k = from; k <= to; k++) strongest = Math.max(strongest, power[k]!)
  if (strongest < silence ** 2) return null
  const found = new Float64Array(bins)
  const partials: Array<Partial> = []
  let whole = 0
  for (let k = from; k <= to; k++) {
    const isPartial = power[k]! > power[k - 1]! && power[k]! >= power[k + 1]! && power[k]! > strongest * 0.02 ** 2
    if (!isPartial) continue
    const hertz = (peak(power, k) * sampleRate) / size
    const third = 3 * (69 + 12 * Math.log2(hertz / 440))
    // Loudness as it is heard, and less for what may be an overtone.
    const weight = power[k]! ** 0.25 / (1 + hertz / 600)
    const lower = Math.floor(third)
    const low = ((lower % bins) + bins) % bins
    found[low] = found[low]! + weight * (lower + 1 - third)
    found[(low + 1) % bins] = found[(low + 1) % bins]! + weight * (third - lower)
    whole += weight
    partials.push({ cents: (third / 3) * 100, weight })
  }
  return whole === 0 ? null : { thirds: found.map((amount) => amount / whole), partials }
}

/** Where between the bins the peak at `k` is: the top of a parabola through the logarithms of three. */
const peak = (power: Float64Array, k: number): number => {
  const before = Math.log(power[k - 1]! + Number.MIN_VALUE)
  const top = Math.log(power[k]!)
  const after = Math.log(power[k + 1]! + Number.MIN_VALUE)
  return k + (0.5 * (before - after)) / (before - 2 * top + after)
}

/** Thirds to semitones, in the tuning that catches most of what sounds. */
const semitones = (thirds: Float64Array): ReadonlyArray<number> => {
  const third = (index: number) => thirds[(index + bins) % bins]!
  const caught = (tuning: number) => names.reduce((sum, _, pitch) => sum + third(3 * pitch + tuning), 0)
  const tuning = [0, -1, 1].reduce((best, other) => caught(other) > caught(best) ? other : best)
  return names.map((_, pitch) => {
    const middle = 3 * pitch + tuning
    return third(middle) + 0.5 * (third(middle - 1) + third(middle + 1))
  })
}

const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Pearson's, between -1 and 1. */
const correlation = (found: ReadonlyArray<number>, expected: ReadonlyArray<number>): number => {
  const [meanFound, meanExpected] = [mean(found), mean(expected)]
  let [together, ofFound, ofExpected] = [0, 0, 0]
  for (const [pitch, amount] of found.entries()) {
    const [a, b] = [amount - meanFound, expected[pitch]! - meanExpected]
    together += a * b
    ofFound += a * a
    ofExpected += b * b
  }
  return together / (Math.sqrt(ofFound * ofExpected) || 1)
}
