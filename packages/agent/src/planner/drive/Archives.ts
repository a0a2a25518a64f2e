/** ZIP archives by the names that people use for them. */
import { type Plan, Stopped } from "../Plan.ts"
import { call, type PlanContext, say } from "../PlanContext.ts"
import { quoted } from "../Speech.ts"
import { choose } from "./Choosing.ts"
import { containing, named } from "./Collections.ts"
import type { ArchiveItem } from "./Records.ts"

/** Those that are kept, newest first. */
export function* archives(it: PlanContext): Plan<ReadonlyArray<ArchiveItem>> {
  const answer = yield* call<ReadonlyArray<ArchiveItem> | { readonly archives: ReadonlyArray<ArchiveItem> }>(
    it,
    "select_archives",
    { limit: 50 }
  )
  return "archives" in answer ? answer.archives : answer
}

/** The archive that is meant: by its title, the one mentioned, or the newest. */
export function* theArchive(it: PlanContext, said: string | null): Plan<ArchiveItem> {
  const all = yield* archives(it)
  const [newest] = all
  if (newest === undefined) {
    throw new Stopped({ text: say(it, "There are no ZIP archives.", "Es gibt keine ZIP-Archive.") })
  }
  if (said === null) return all.find(({ id }) => id === it.focus.archive?.id) ?? newest
  const exact = named(all, said.replace(/\.zip$/i, ""), ({ title }) => title.replace(/\.zip$/i, ""))
  const found = exact.length > 0 ? exact : containing(all, said, ({ title }) => title)
  if (found.length === 1) return found[0]!
  if (found.length === 0) {
    throw new Stopped({
      text: say(it, `There is no ZIP archive ${quoted(said)}.`, `Es gibt kein ZIP-Archiv ${quoted(said)}.`)
    })
  }
  return yield* choose(
    it,
    found,
    say(it, "Which archive do you mean?", "Welches Archiv meinst du?"),
    ({ fileCount, title }) => `${title} (${fileCount})`
  )
}
