/**
 * The ids of users, as hosts pass and get them. A user's account has a UUID. A host with users of its own may use any text as
 * an id: the account's UUID is then made from the text (version 5 of RFC 9562), and the drive stores the text to find it again.
 */
import { HostUsers, type Ids } from "@filedrive/core"
import { Effect } from "effect"
import { accountId, mayBeDerived } from "./arguments.ts"
import type { DriveServices } from "./DriveLayer.ts"
import type { Run } from "./Run.ts"
import { parsed, remember } from "./UserAccount.ts"

export interface User {
  readonly id: Ids.AccountId
  /** Runs a call for the user, and stores the host's id of the user. */
  readonly run: Run
}

export interface UserIds {
  /** Throws a `DriveError` for a value that can't be a user's id. */
  readonly user: (run: Run, userId: string, field?: string) => User
  /** Whether ids may be any text. */
  readonly areTexts: boolean
  /** The host's ids of the users with these accounts. */
  readonly userIdsOf: (
    ids: ReadonlyArray<Ids.AccountId>
  ) => Effect.Effect<(id: Ids.AccountId) => string, never, DriveServices>
}

/** For the drive's own users, and those of a host's layer: their ids are UUIDs. */
export const uuids: UserIds = {
  user: (run, userId, field) => ({ id: accountId(userId, field), run }),
  areTexts: false,
  userIdsOf: () => Effect.succeed((id) => id)
}

/** For a host's users (option `accounts`): a UUID is its own account's id, any other text is made into a UUID. */
export const ofHost: UserIds = {
  areTexts: true,
  user: (run, userId, field) => {
    const { id, text } = parsed(userId, field)
    if (text === null) return { id, run }
    return {
      id,
      run: Object.assign(
        <A, E>(effect: Effect.Effect<A, E, DriveServices>) => run(Effect.andThen(remember(id, text), effect)),
        { isClosed: run.isClosed, isClosing: run.isClosing, keepingAlive: run.keepingAlive }
      )
    }
  },
  userIdsOf: (ids) =>
    Effect.map(
      HostUsers.use((users) => users.find(ids.filter(mayBeDerived))),
      (texts) => (id) => texts.get(id) ?? id
    )
}
