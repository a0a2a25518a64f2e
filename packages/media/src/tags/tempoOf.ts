/** Beats a minute as tags write them: `128`, `128.5`, `128,5`, `128 BPM`; null for none. */
export const tempoOf = (text: string): number | null => {
  const [, number = "0"] = /^\s*(\d+(?:[.,]\d+)?)/.exec(text) ?? []
  const tempo = Number(number.replace(",", "."))
  return tempo > 0 ? tempo : null
}
