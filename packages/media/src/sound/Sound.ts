/** Analyses the decoded sound of a track. */
import type { MediaTools } from "@filedrive/core"
import { fingerprint, printRate, printSeconds } from "./Chromaprint.ts"
import { downsampled } from "./Downsample.ts"
import { keyOf } from "./Key.ts"
import { tempoOf } from "./Tempo.ts"

/** The format of decoded sound: mono, 32-bit floats, little-endian, so many a second. */
export const sampleRate = 2 * printRate
/** How much of a track is analysed. */
export const listenSeconds = printSeconds

/** Sound that is never louder counts as silence. */
const silence = 1e-3

/** Decoders may return NaN, or values beyond full scale. */
const samplesOf = (bytes: Uint8Array<ArrayBuffer>): Float32Array => {
  const count = Math.min(Math.floor(bytes.byteLength / 4), sampleRate * listenSeconds)
  const samples = new Float32Array(bytes.slice(0, count * 4).buffer)
  for (let i = 0; i < samples.length; i++) {
    if (!Number.isFinite(samples[i]!)) samples[i] = 0
  }
  return samples
}

/** Normalized to full loudness, so that quiet recordings are analysed like others. Null for silence. */
const normalised = (samples: Float32Array): Float32Array | null => {
  let loudest = 0
  for (const sample of samples) loudest = Math.max(loudest, Math.abs(sample))
  return loudest < silence ? null : samples.map((sample) => sample / loudest)
}

/** The print, or null when the track is too short for one or the library is not installed. */
const soundprintOf = async (samples: Float32Array): Promise<ReadonlyArray<number> | null> => {
  try {
    const print = await fingerprint(downsampled(samples, printRate * printSeconds))
    return print.length === 0 ? null : print
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") return null
    throw error
  }
}

export const sound = async (bytes: Uint8Array<ArrayBuffer>): Promise<MediaTools.Sound> => {
  const samples = samplesOf(bytes)
  const audible = normalised(samples)
  return {
    tempo: audible === null ? null : tempoOf(audible, sampleRate),
    key: audible === null ? null : keyOf(audible, sampleRate),
    soundprint: await soundprintOf(samples)
  }
}
