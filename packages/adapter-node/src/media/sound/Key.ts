/**
 * The musical key by listening: how much of each of the twelve pitches sounds,
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

const names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
const major = [6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88]
const minor = [6.33, 2.68, 3.52, 5.38, 2.6, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17]

/** The key, spelled like `Am` or `F#`, or null when none stands out. The loudest of `samples` are near 1. */
export const keyOf = (samples: Float32Array, sampleRate: number): string | null => {
  const pitches = pitchesIn(samples, sampleRate)
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

/** How much of each pitch sounds, C first; null when too little does. */
const pitchesIn = (samples: Float32Array, sampleRate: number): ReadonlyArray<number> | null => {
  const sounding = new Float64Array(bins)
  let frames = 0
  if (framesIn(samples, { hop, size }) > 0) {
    spectra(samples, { hop, size }, (power) => {
      const frame = tones(power, sampleRate)
      if (frame === null) return
      frames++
      for (let bin = 0; bin < bins; bin++) sounding[bin] = sounding[bin]! + frame[bin]!
    })
  }
  return frames * hop < shortestSeconds * sampleRate ? null : semitones(sounding)
}

/** How much of each third of a semitone a frame holds, 1 in all; null for silence. */
const tones = (power: Float64Array, sampleRate: number): Float64Array | null => {
  const from = Math.ceil((lowestHertz * size) / sampleRate)
  const to = Math.floor((highestHertz * size) / sampleRate)
  let strongest = 0
  for (let k = from; k <= to; k++) strongest = Math.max(strongest, power[k]!)
  if (strongest < silence ** 2) return null
  const found = new Float64Array(bins)
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
  }
  return whole === 0 ? null : found.map((amount) => amount / whole)
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
