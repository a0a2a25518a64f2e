/** An account's index taken apart again: every doc in it, as it was put there. */
import { Effect } from "effect"
import { has } from "../src/docindex/Bitmap.ts"
import { lengthOf, textAt } from "../src/docindex/Dictionary.ts"
import type { Doc } from "../src/docindex/Doc.ts"
import { DocIndexRepo } from "../src/docindex/DocIndexRepo.ts"
import { docNumbersIn } from "../src/docindex/IndexState.ts"
import { changingParts, fixedParts, type Parts } from "../src/docindex/Segment.ts"
import { publicBit, readId } from "../src/docindex/SegmentColumns.ts"
import type { AccountId } from "../src/shared/Ids.ts"

const known = (value: number | undefined): number | null => value === undefined || Number.isNaN(value) ? null : value

/** The live docs of a segment, those of the places in `superseded` left out. */
export const docsOfSegment = (
  { docCount, parts }: { readonly docCount: number; readonly parts: Parts },
  superseded: ReadonlySet<number> = new Set()
): ReadonlyArray<Doc> => {
  const { dead, facts, folders, ids, names, place, sizes, sound, taken, terms } = parts
  const lexemes = Array.from({ length: docCount }, (): Array<string> => [])
  for (let at = 0; at < lengthOf(terms); at++) {
    // Keys stand among words, and in their own column.
    if (textAt(terms, at).startsWith("~")) continue
    for (const doc of terms.docs.subarray(terms.starts[at], terms.starts[at + 1])) lexemes[doc]!.push(textAt(terms, at))
  }
  return lexemes.flatMap((lexemes, doc) => {
    if (has(dead, doc) || superseded.has(doc)) return []
    const folderNo = folders.nos[folders.ordinals[doc]!]!
    return [{
      id: readId(ids.bytes, doc),
      time: ids.times[doc]!,
      type: facts.types[doc]! & ~publicBit,
      isPublic: (facts.types[doc]! & publicBit) !== 0,
      size: sizes.values[doc]!,
      nameKey: textAt(names, doc),
      folderNo: folderNo === -1 ? null : folderNo,
      taken: known(taken[doc]),
      duration: known(sound.first[doc]),
      tempo: known(sound.second[doc]),
      latitude: known(place.first[doc]),
      longitude: known(place.second[doc]),
      key: facts.keys[doc] === 0 ? null : facts.keys[doc]! - 1,
      lexemes
    }]
  })
}

/** Every doc a search of the account may find. */
export const docsOfIndex = Effect.fnUntraced(function*(accountId: AccountId) {
  const repo = yield* DocIndexRepo
  const update = (yield* repo.updateSince(accountId, -1, -1))!
  const docs = update.changes.flatMap(({ doc, id, time }): ReadonlyArray<Doc> =>
    doc === null ? [] : [{ ...doc, id, time }]
  )
  for (const header of update.headers ?? []) {
    const parts = (yield* repo.parts(header, [...fixedParts, ...changingParts])) as Parts
    const superseded = new Set(docNumbersIn(parts.ids, update.changes).values())
    docs.push(...docsOfSegment({ docCount: header.docCount, parts }, superseded))
  }
  return docs
}, Effect.provide(DocIndexRepo.layer))
