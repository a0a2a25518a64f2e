/**
 * Detects the tempo from sound, in beats a minute.
 *
 * Where notes begin, many bands of the spectrum grow louder at once. How well
 * that curve agrees with itself, moved by one beat and by several, tells how long
 * a beat is; among halves and doubles the one nearer to 125 wins.
 */
import { fourier, framesIn, spectra } from "./Fourier.ts"

/** 172 onset values a second at 22,050 Hz: a beat is found to less than a millisecond over many. */
const hop = 128
const size = 1024
const bands = 40
const slowest = 50
const fastest = 220
/** Fewer seconds hold too few beats to be sure of. */
const shortestSeconds = 4
/**
 * What the bands must rise by at a hop, on the mean, for there to be any notes. A tone that glides from band to band stays
 * under 0.25, steadily enough to agree with itself; a click a second is over 0.7, music over 1.3.
 */
const leastOnset = 0.4
/** How far the curve must agree with itself. Speech and noise stay under 0.05, steady music is over 0.3. */
const leastAgreement = 0.12
/** How much each multiple of a beat counts in telling beats apart; a bar of four more than what is between. */
const weights = [1, 1, 0.5, 1, 0.25, 0.25, 0.25, 0.25]

/** Beats a minute to a tenth, or null when there is no steady beat. The loudest of `samples` are near 1. */
export const tempoOf = (samples: Float32Array, sampleRate: number): number | null => {
  if (samples.length < shortestSeconds * sampleRate) return null
  const framesPerSecond = sampleRate / hop
  const agreement = autocorrelation(detrended(onsets(samples, sampleRate), Math.round(framesPerSecond / 2)))
  if (agreement === null) return null
  const beat = likeliest(agreement, framesPerSecond)
  return beat.agreement < leastAgreement ? null : Math.round(refined(agreement, framesPerSecond, beat.tempo) * 10) / 10
}

/** Edges of the bands in bins of the spectrum, evenly spaced to the ear. */
const bandEdges = (sampleRate: number): ReadonlyArray<number> => {
  const mel = (hertz: number) => 2595 * Math.log10(1 + hertz / 700)
  const hertz = (mel: number) => 700 * (10 ** (mel / 2595) - 1)
  const low = mel(30)
  const high = mel(Math.min(11_000, sampleRate / 2))
  return Array.from(
    { length: bands + 1 },
    (_, band) => Math.round(hertz(low + ((high - low) * band) / bands) * size / sampleRate)
  )
}

/** How much louder the bands became, at each hop. */
const onsets = (samples: Float32Array, sampleRate: number): Float64Array => {
  const edges = bandEdges(sampleRate)
  const curve = new Float64Array(framesIn(samples, { hop, size }))
  // The frame before overlaps too much to differ: each is compared with the one before that.
  const history = [new Float64Array(bands), new Float64Array(bands), new Float64Array(bands)]
  let frame = 0
  spectra(samples, { hop, size }, (power) => {
    const current = history[frame % 3]!
    const earlier = history[(frame + 1) % 3]!
    let rise = 0
    for (let band = 0; band < bands; band++) {
      const from = edges[band]!
      const to = Math.max(edges[band + 1]!, from + 1)
      let energy = 0
      for (let bin = from; bin < to; bin++) energy += power[bin]!
      current[band] = Math.log1p((4000 / size) * Math.sqrt(energy / (to - from)))
      if (frame > 1) rise += Math.max(0, current[band]! - earlier[band]!)
    }
    curve[frame++] = rise
  })
  return curve
}

/** What stands out of the mean of `reach` values on both sides. */
const detrended = (curve: Float64Array, reach: number): Float64Array => {
  const sums = new Float64Array(curve.length + 1)
  for (let i = 0; i < curve.length; i++) sums[i + 1] = sums[i]! + curve[i]!
  return curve.map((value, i) => {
    const from = Math.max(0, i - reach)
    const to = Math.min(curve.length, i + reach)
    return Math.max(0, value - (sums[to]! - sums[from]!) / (to - from))
  })
}

/** How far the curve agrees with itself moved by each number of frames, 1 at none; null when it is flat. */
const autocorrelation = (curve: Float64Array): Float64Array | null => {
  const padded = 2 ** Math.ceil(Math.log2(2 * curve.length))
  const { transform } = fourier(padded)
  const real = new Float64Array(padded)
  const imaginary = new Float64Array(padded)
  const mean = curve.reduce((sum, value) => sum + value, 0) / curve.length
  if (mean < leastOnset) return null
  // About its mean: else noise would agree with itself by never being below nothing.
  real.set(curve.map((value) => value - mean))
  transform(real, imaginary)
  for (let i = 0; i < padded; i++) {
    real[i] = real[i]! ** 2 + imaginary[i]! ** 2
    imaginary[i] = 0
  }
  transform(real, imaginary)
  const whole = real[0]!
  if (!(whole > 0)) return null
  // Fewer values overlap the further it is moved.
  return Float64Array.from(curve, (_, lag) => (real[lag]! / whole) * (curve.length / (curve.length - lag)))
}

/** Between two frames, too. */
const at = (agreement: Float64Array, lag: number): number => {
  const whole = Math.floor(lag)
  if (whole + 1 >= agreement.length) return 0
  return agreement[whole]! * (whole + 1 - lag) + agreement[whole + 1]! * (lag - whole)
}

const likeliest = (
  agreement: Float64Array,
  framesPerSecond: number
): { readonly tempo: number; readonly agreement: number } => {
  let best = { tempo: 0, agreement: 0, score: -1 }
  for (let tempo = slowest; tempo <= fastest; tempo += 0.25) {
    const lag = (60 * framesPerSecond) / tempo
    let sum = 0
    let weight = 0
    for (const [beats, counts] of weights.entries()) {
      if (lag * (beats + 1) > agreement.length * 0.6) break
      sum += counts * at(agreement, lag * (beats + 1))
      weight += counts
    }
    const mean = weight === 0 ? 0 : sum / weight
    // How near to where most music is, by octaves.
    const score = mean * Math.exp(-0.5 * (Math.log2(tempo / 125) / 0.8) ** 2)
    if (score > best.score) best = { tempo, agreement: mean, score }
  }
  return best
}

/** The same beat by many of its multiples: each narrows it down further. */
const refined = (agreement: Float64Array, framesPerSecond: number, rough: number): number => {
  let best = { tempo: rough, mean: -1 }
  for (let tempo = rough * 0.985; tempo <= rough * 1.015; tempo += 0.02) {
    const lag = (60 * framesPerSecond) / tempo
    const beats = Math.min(32, Math.floor((agreement.length * 0.7) / lag))
    let sum = 0
    for (let beat = 1; beat <= beats; beat++) sum += at(agreement, lag * beat)
    if (beats > 0 && sum / beats > best.mean) best = { tempo, mean: sum / beats }
  }
  return best.tempo
}
