/** `filedrive doctor --accept-storage`: after a restore, decides that the database counts. */
import { StorageAcceptance, StorageCheck } from "@filedrive/core"
import { Effect } from "effect"
import type { Variables } from "./DriveVariables.ts"
import { at, number, type Output, sentence, withDrive } from "./StorageCommand.ts"

/** Asks a person; null where none is at a terminal. */
export type Confirm = ((question: string) => Promise<boolean>) | null

const question = "Accept the database, so that these objects are removed?"

const objects = (count: number) => `${number(count)} ${count === 1 ? "object" : "objects"}`

const run = Effect.fnUntraced(function*({ line, progress }: Output, confirm: Confirm) {
  const { accept, disagreement, restore } = yield* StorageAcceptance
  const { survey } = yield* StorageCheck
  const held = yield* disagreement
  line(held === null ? "Storage and database are of the same time." : sentence(held))
  progress("Looking for misplaced bytes of files in storage; this may take a while.")
  const misplaced = yield* restore
  if (misplaced === 0) {
    const { lost, orphaned, orphanedBytes } = yield* survey
    const unknown = `${number(orphaned)}, of ${number(orphanedBytes)} bytes`
    line(`Files without an object in storage: ${number(lost)}. Objects that the database does not know: ${unknown}.`)
    if (confirm !== null && !(yield* Effect.promise(() => confirm(question)))) {
      line("Nothing was accepted.")
      return false
    }
  }
  const accepted = yield* accept
  if (!accepted.isAccepted) {
    const { misplaced } = accepted
    line(`The misplaced bytes of ${number(misplaced)} files could not be copied. Nothing was accepted.`)
    return false
  }
  const { ended, left } = accepted.links
  line("Accepted: in a few days the drive removes objects that its database does not know.")
  if (ended > 0) line(`The public links of ${objects(ended)} among these have ended.`)
  if (left > 0) line(`Storage did not remove ${objects(left)} with a public link: run the command again.`)
  return left === 0
})

/** Returns false, and prints why, when it could not, or the person did not want to. */
export const acceptStorage = async (variables: Variables, output: Output, confirm: Confirm): Promise<boolean> =>
  (await withDrive(variables, output, (where) => at(where, run(output, confirm)))) ?? false
