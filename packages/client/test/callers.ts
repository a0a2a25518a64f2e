/** What the suite's calls may be made by, beside bare requests. */
import type { Drive } from "@filedrive/adapter-node"
import { type Client, createClient } from "@filedrive/client"
import type { HttpHost } from "@filedrive/testing/suites"

type CallerOf = NonNullable<HttpHost["caller"]>

/** The client; its uploads and downloads too. */
export const byClient: CallerOf = (() => {
  const clients = new Map<string, Client>()
  return async (_bare, options) => {
    const { apiToken, fetch, url } = options
    const client = clients.get(apiToken) ?? createClient({ url, apiToken, retries: 0, ...fetch && { fetch } })
    clients.set(apiToken, client)
    return {
      operations: client as unknown as Record<string, unknown>,
      upload: async ({ bytes, fileName, key = fileName, mimeType, type }) => {
        const { id } = await client.upload(bytes, {
          fileName,
          key,
          type: type ?? "Other",
          ...mimeType !== undefined && { mimeType }
        })
        return id
      },
      download: async (id) => new Uint8Array(await (await client.download(id)).arrayBuffer())
    }
  }
})()

/** `drive.as(user)`: whose token it is, and its limits, a bare request tells before each call. */
export const byUserDrive = (drive: Drive): CallerOf => async (bare) => {
  const told = await bare.call("/get-user")
  if (told.status !== 200) return told
  const { folder, permissions, userId } = told.body
  return { operations: drive.as(userId, { folder, permissions }) as unknown as Record<string, unknown> }
}
