/** Sound at half its sample rate, for analyses that need it. */

const taps = 63
const middle = (taps - 1) / 2
/** The part below the new rate's upper end that passes: the rest would fold back as other tones. */
const passed = 0.97

/** A low pass: a sinc in a Blackman window, 1 in all. */
const lowPass = (): Float64Array => {
  const weights = Float64Array.from({ length: taps }, (_, i) => {
    const t = i - middle
    const sinc = t === 0 ? passed / 2 : Math.sin((Math.PI * t * passed) / 2) / (Math.PI * t)
    const turn = (Math.PI * t) / (middle + 1)
    return sinc * (0.42 + 0.5 * Math.cos(turn) + 0.08 * Math.cos(2 * turn))
  })
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / whole)
}

/** Every second of the samples, between -1 and 1, as 16-bit numbers; at most `samplesMax` of them. */
export const downsampled = (samples: Float32Array, samplesMax: number): Int16Array => {
  const weights = lowPass()
  const half = new Int16Array(Math.min(samples.length >> 1, samplesMax))
  for (let i = 0; i < half.length; i++) {
    const first = 2 * i - middle
    const to = Math.min(taps, samples.length - first)
    let sum = 0
    for (let k = Math.max(0, -first); k < to; k++) sum += samples[first + k]! * weights[k]!
    half[i] = Math.max(-32_768, Math.min(32_767, Math.round(sum * 32_768)))
  }
  return half
}
