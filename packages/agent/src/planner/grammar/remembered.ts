/** What was found out of parts of a sentence, so that none is read twice: a long request has many ways to be cut, of the same parts. */
import type { Sentence, Span } from "./Sentence.ts"

/** `find`, asked once for each part of a sentence. */
export const remembered = <A>(find: (span: Span) => A): (span: Span) => A => {
  const known = new WeakMap<Sentence, Map<string, A>>()
  return (span) => {
    const { from, sentence, to } = span
    const found = known.get(sentence) ?? new Map<string, A>()
    known.set(sentence, found)
    const key = `${from} ${to}`
    if (!found.has(key)) found.set(key, find(span))
    return found.get(key)!
  }
}
