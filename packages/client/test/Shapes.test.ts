/** One interface for the client and for `drive.as(user)`: the compiler reads it. */
import type { Drive } from "@filedrive/adapter-node"
import type { Client, DriveCalls, PublicCalls } from "@filedrive/client"
import { assert, it } from "vitest"

type UserDrive = ReturnType<Drive["as"]>

/** What is written for one runs on the other. */
const newest = async (calls: Pick<DriveCalls, "searchFiles">): Promise<string | undefined> =>
  (await calls.searchFiles({ limit: 1 })).files[0]?.fileName

it("CLIENT-2 a client and drive.as(user) are both DriveCalls, a public client and drive.public both PublicCalls", () => {
  // Never run.
  const calls = (client: Client, user: UserDrive, drive: Drive) => {
    const both: ReadonlyArray<DriveCalls> = [client, user]
    const open: ReadonlyArray<PublicCalls> = [client.public, drive.public]
    return [both, open, newest(client), newest(user)]
  }
  // @ts-expect-error a limit is a number
  const wrong = (client: Client) => client.searchFiles({ limit: "1" })
  assert.isFunction(calls)
  assert.isFunction(wrong)
})
