/** A program that makes the same small call by the client and by `fetch`, one after the other, in turns. */
import { createClient } from "@filedrive/client"
import type { ClientCalled, ClientCalling } from "../ClientSending.ts"
import { DriveApi } from "../DriveApi.ts"
import { interleave, seconds } from "../Rounds.ts"
import { options, ready } from "./parent.ts"

const { account, callsInRound, fileId, origin, rounds } = options<ClientCalling>()
const client = createClient({ url: origin, session: async () => account.session })
const api = new DriveApi(origin, account)

const microsOf = async (call: () => Promise<{ readonly downloadUrl: string | null }>): Promise<number> =>
  await seconds(async () => {
    for (let at = 0; at < callsInRound; at++) await call()
  }) / callsInRound * 1e6

const ours = () => microsOf(() => client.generateDownloadUrl({ id: fileId }))
const bare = () => microsOf(() => api.call("/generate-download-url", { id: fileId }))
// Who comes first in a round changes, as whoever comes second finds the server warm.
const measured = await interleave(rounds, {
  first: async (round) => round % 2 === 0 ? { client: await ours() } : { fetch: await bare() },
  second: async (round) => round % 2 === 0 ? { fetch: await bare() } : { client: await ours() }
})
const both = measured.first.map((one, round) => ({ ...one, ...measured.second[round] })) as unknown as ReadonlyArray<
  { readonly client: number; readonly fetch: number }
>
ready({ client: both.map(({ client }) => client), fetch: both.map(({ fetch }) => fetch) } satisfies ClientCalled)
