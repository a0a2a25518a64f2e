/** Calls of the API by `fetch`, as a program makes them that has no client. */
import type { DriveAccount } from "./DriveServerOptions.ts"

export class DriveApi {
  readonly #url: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #userId: string

  constructor(origin: string, { session, userId }: DriveAccount) {
    this.#url = `${origin}/api`
    this.#headers = {
      authorization: `Bearer ${session}`,
      "x-service-app": "filedrive",
      "content-type": "application/json"
    }
    this.#userId = userId
  }

  // oxlint-disable-next-line no-explicit-any
  async call(route: string, body: object): Promise<any> {
    const answer = await fetch(this.#url + route, {
      method: "POST",
      headers: this.#headers,
      body: JSON.stringify(body)
    })
    if (!answer.ok) throw new Error(`${route} answered ${answer.status} ${await answer.text()}`)
    return answer.json()
  }

  file(name: string, fileSize: number) {
    return { type: "Other", fileName: name, fileSize, objectKey: `users/${this.#userId}/${name}` }
  }

  async insert(name: string, fileSize: number): Promise<string> {
    const creator = { id: this.#userId }
    return (await this.call("/insert-file", { ...this.file(name, fileSize), isPublic: false, creator })).id
  }
}

/** Does `work` for 0 to `count - 1`, a few at once. */
export const inLanes = async (
  count: number,
  atOnce: number,
  work: (number: number) => Promise<void>
): Promise<void> => {
  let next = 0
  const lane = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}
