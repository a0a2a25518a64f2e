/** Musical keys as numbers: pitch (C = 0, a semitone each) * 2, and 1 more for minor. */
const pitches = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"] as const

/** `Am`, `F#`: a sharp where there is no white key, `m` for minor. */
export const format = (key: number): string => `${pitches[key >> 1]}${key % 2 === 1 ? "m" : ""}`
