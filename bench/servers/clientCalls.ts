/** A program that makes the same small call by the client and by `fetch`, one after the other, in turns. */
import { createClient } from "@filedrive/client"
import type { ClientCall, ClientCalled, ClientCalling } from "../ClientSending.ts"
import { DriveApi } from "../DriveApi.ts"
import { interleave, seconds } from "../Rounds.ts"
import { options, ready } from "./parent.ts"

const { account, callsInRound, fileId, origin, rounds } = options<ClientCalling>()
const client = createClient({ url: origin, session: async () => account.session })
const api = new DriveApi(origin, account)

const measure = async (call: () => Promise<unknown>): Promise<ClientCall> => {
  const cpu = process.cpuUsage()
  const wall = await seconds(async () => {
    for (let at = 0; at < callsInRound; at++) await call()
  })
  const { system, user } = process.cpuUsage(cpu)
  return { wall: wall / callsInRound * 1e6, cpu: (system + user) / callsInRound }
}

const ours = () => measure(() => client.generateDownloadUrl({ id: fileId }))
const bare = () => measure(() => api.call("/generate-download-url", { id: fileId }))
// Another comes first each time: whoever comes second finds the server warm.
const { both } = await interleave(rounds, {
  both: async (round) => {
    if (round % 2 === 0) return { client: await ours(), fetch: await bare() }
    const fetch = await bare()
    return { client: await ours(), fetch }
  }
})
ready({ client: both.map(({ client }) => client), fetch: both.map(({ fetch }) => fetch) } satisfies ClientCalled)
