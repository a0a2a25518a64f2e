/** Soundprints as tests make them: of songs that are numbers, encoded well or badly. */

/** The same numbers for the same seed. */
const random = (seed: number) => {
  let state = (seed * 2_654_435_761 + 1) >>> 0
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
}

/** A song of its own for each seed: as a rule a number differs from the one before in a few bits, as sound does. */
export const song = (seed: number, length = 900): ReadonlyArray<number> => {
  const next = random(seed)
  let number = Math.floor(next() * 2 ** 32)
  return Array.from({ length }, () => {
    for (let changes = Math.floor(next() * 12); changes > 0; changes--) number ^= 1 << Math.floor(next() * 32)
    return number >>> 0
  })
}

/** The song as another encoding of it sounds: a part of its bits, `errors`, is different. */
export const encoded = (print: ReadonlyArray<number>, errors: number, seed = 1): ReadonlyArray<number> => {
  const next = random(seed + 77)
  return print.map((number) => {
    let changed = number
    for (let bit = 0; bit < 32; bit++) if (next() < errors) changed ^= 1 << bit
    return changed >>> 0
  })
}
