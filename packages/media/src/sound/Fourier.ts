/** The discrete Fourier transform, as the analyses of sound need it. */

export interface Fourier {
  /** How many samples are transformed at once: a power of two. */
  readonly size: number
  /** Transforms in place. */
  readonly transform: (real: Float64Array, imaginary: Float64Array) => void
}

/** Where each index goes when its bits are read backwards. */
const reversedBits = (size: number): Uint32Array => {
  const reversed = new Uint32Array(size)
  const bits = Math.log2(size)
  for (let index = 1; index < size; index++) {
    reversed[index] = (reversed[index >> 1]! >> 1) | ((index & 1) << (bits - 1))
  }
  return reversed
}

/** A transform of `size` samples; its tables are made once. */
export const fourier = (size: number): Fourier => {
  const cosines = Float64Array.from({ length: size / 2 }, (_, k) => Math.cos((2 * Math.PI * k) / size))
  const sines = Float64Array.from({ length: size / 2 }, (_, k) => -Math.sin((2 * Math.PI * k) / size))
  const reversed = reversedBits(size)

  const reorder = (values: Float64Array) => {
    for (let i = 0; i < size; i++) {
      const j = reversed[i]!
      if (i >= j) continue
      const kept = values[i]!
      values[i] = values[j]!
      values[j] = kept
    }
  }

  const transform = (real: Float64Array, imaginary: Float64Array) => {
    reorder(real)
    reorder(imaginary)
    for (let half = 1; half < size; half <<= 1) {
      const step = size / (2 * half)
      for (let start = 0; start < size; start += 2 * half) {
        for (let k = 0; k < half; k++) {
          const cosine = cosines[k * step]!
          const sine = sines[k * step]!
          const a = start + k
          const b = a + half
          const turnedReal = real[b]! * cosine - imaginary[b]! * sine
          const turnedImaginary = real[b]! * sine + imaginary[b]! * cosine
          real[b] = real[a]! - turnedReal
          imaginary[b] = imaginary[a]! - turnedImaginary
          real[a] = real[a]! + turnedReal
          imaginary[a] = imaginary[a]! + turnedImaginary
        }
      }
    }
  }

  return { size, transform }
}

/**
 * Calls `each` with the power spectrum of every frame of `samples`, in order: bins 0 to half the size. The array is used
 * again for the next frame.
 *
 * Two frames go through one transform, as its real and its imaginary part: samples are real, so both come out whole.
 */
export const spectra = (
  samples: Float32Array,
  { hop, size }: { readonly hop: number; readonly size: number },
  each: (power: Float64Array) => void
): void => {
  const { transform } = fourier(size)
  const window = Float64Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size))
  const real = new Float64Array(size)
  const imaginary = new Float64Array(size)
  const power = new Float64Array(size / 2 + 1)
  const frames = framesIn(samples, { hop, size })
  for (let frame = 0; frame < frames; frame += 2) {
    const first = frame * hop
    const second = frame + 1 < frames ? first + hop : first
    for (let i = 0; i < size; i++) {
      real[i] = samples[first + i]! * window[i]!
      imaginary[i] = samples[second + i]! * window[i]!
    }
    transform(real, imaginary)
    for (const sign of frame + 1 < frames ? [1, -1] : [1]) {
      for (let k = 0; k <= size / 2; k++) {
        const mirrored = (size - k) % size
        const even = real[k]! + sign * real[mirrored]!
        const odd = imaginary[k]! - sign * imaginary[mirrored]!
        power[k] = (even * even + odd * odd) / 4
      }
      each(power)
    }
  }
}

/** How many whole frames there are in `samples`. */
export const framesIn = (
  samples: Float32Array,
  { hop, size }: { readonly hop: number; readonly size: number }
): number => Math.max(0, Math.floor((samples.length - size) / hop) + 1)
