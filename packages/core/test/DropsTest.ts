/** File requests and their senders below HTTP, on a drive in memory. */
import { Effect } from "effect"
import { EventQuery } from "../src/events/EventQuery.ts"
import { Events } from "../src/events/Events.ts"
import { LinkCall } from "../src/links/LinkCall.ts"
import * as Drop from "../src/requests/Drop.ts"
import { Drops } from "../src/requests/Drops.ts"
import { NewRequest } from "../src/requests/Request.ts"
import { Requests } from "../src/requests/Requests.ts"
import type { AccountId, RequestId } from "../src/shared/Ids.ts"
import * as Checked from "./Checked.ts"
import { as } from "./TestAccounts.ts"
import { post, put } from "./UploadsTest.ts"

/** A call by somebody without an account at an address, which no rate limit counts. */
export const from = (network: string | null) =>
  Effect.provideService(LinkCall, {
    accessToken: null,
    network,
    limits: { count: () => Effect.void, guess: (_, check) => check }
  })

/** The same where nobody knows the address. */
export const byAnyone = from(null)

/** A request of the owner's, by default into the folder `/In`. */
export const makeRequest = (owner: AccountId, request: Partial<Checked.Raw<typeof NewRequest>> = {}) =>
  Requests.use((requests) => requests.create(NewRequest.make({ title: "Photos", folder: "/In", ...request } as never)))
    .pipe(as(owner))

export const startDrop = (requestId: RequestId, senderName = "Grace", note?: string, network: string | null = null) =>
  Drops.use((drops) =>
    drops.start(requestId, Drop.SenderName.make(senderName), note && Drop.DropNote.make(note) || null)
  )
    .pipe(from(network))

/** A file that a sender sends, by default with its name as the key. */
export const dropFile = (fileSize: number, fileName = "a.bin", clientKey = fileName): Drop.DropFile => ({
  type: "Other",
  fileName: Checked.fileName(fileName),
  fileSize: Checked.fileSize(fileSize),
  clientKey: Drop.ClientKey.make(clientKey)
})

/** A call of a sender's. */
export const drops = <A, E, R>(call: (drops: Drops["Service"]) => Effect.Effect<A, E, R>) => byAnyone(Drops.use(call))

/** Sends a file in one piece; returns its id. */
export const sendByForm = Effect.fnUntraced(function*(token: Drop.DropToken, file: Drop.DropFile, body?: string) {
  const form = yield* drops((all) => all.createForm(token, file))
  yield* post(form, body ?? "x".repeat(file.fileSize))
  return (yield* drops((all) => all.insert(token, file))).id
})

/** Sends a file in parts; returns its id. */
export const sendInParts = Effect.fnUntraced(function*(token: Drop.DropToken, file: Drop.DropFile) {
  const opened = yield* drops((all) => all.openUpload(token, file))
  yield* Effect.forEach(opened.signed, (part) => put(part))
  yield* drops((all) => all.completeUpload(token, opened.token))
  return (yield* drops((all) => all.insert(token, file))).id
})

/** The events of the account's feed from its beginning. */
export const eventsOf = (owner: AccountId) =>
  Events.use((events) => events.select(EventQuery.make({ limit: 100, since: "e0" } as never))).pipe(
    Effect.map((page) => page.events.map(({ event }) => event)),
    as(owner)
  )
