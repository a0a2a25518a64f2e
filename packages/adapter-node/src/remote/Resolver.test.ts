/** Against a name server that the test runs itself. */
import { assert, describe, it } from "@effect/vitest"
import { createSocket, type Socket } from "node:dgram"
import { afterAll, beforeAll } from "vitest"
import { resolveBy } from "./Resolver.ts"

type Records = { readonly a?: ReadonlyArray<string>; readonly aaaa?: ReadonlyArray<string>; readonly code?: number }

const names: Readonly<Record<string, Records>> = {
  "both.test": { a: ["192.0.2.1", "192.0.2.2"], aaaa: ["2001:db8::1"] },
  "four.test": { a: ["192.0.2.1"] },
  "six.test": { aaaa: ["2001:db8::1"] },
  "empty.test": {},
  "broken.test": { code: 2 }
}

const bytesOf = (address: string): ReadonlyArray<number> =>
  address.includes(":")
    ? [...Buffer.from(`20010db8${"0".repeat(20)}0001`, "hex")]
    : address.split(".").map(Number)

/** The answer to a question of one name, as RFC 1035 writes it. */
const answerTo = (query: Buffer): Buffer => {
  const labels: Array<string> = []
  let at = 12
  for (; query[at] !== 0; at += query[at]! + 1) labels.push(query.toString("latin1", at + 1, at + 1 + query[at]!))
  const type = query.readUInt16BE(at + 1)
  const known = names[labels.join(".")]
  const found = (type === 1 ? known?.a : type === 28 ? known?.aaaa : []) ?? []
  const head = Buffer.from(query.subarray(0, at + 5))
  head.writeUInt16BE(0x8180 | (known === undefined ? 3 : known.code ?? 0), 2)
  head.writeUInt16BE(found.length, 6)
  head.writeUInt32BE(0, 8)
  const records = found.map((address) => {
    const data = bytesOf(address)
    return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data])
  })
  return Buffer.concat([head, ...records])
}

describe("Resolver", () => {
  let server: Socket | undefined
  let resolveAll = resolveBy()
  beforeAll(async () => {
    const started = createSocket("udp4")
    server = started
    started.on("message", (query, { address, port }) => started.send(answerTo(query), port, address))
    await new Promise<void>((resolve) => started.bind(0, "127.0.0.1", resolve))
    resolveAll = resolveBy([`127.0.0.1:${started.address().port}`])
  })
  afterAll(() => server?.close())

  it("HOSTILE-31 a name's addresses of both kinds are known before one is used", async () => {
    assert.deepStrictEqual(await resolveAll("both.test"), [
      { address: "192.0.2.1", family: 4 },
      { address: "192.0.2.2", family: 4 },
      { address: "2001:db8::1", family: 6 }
    ])
    assert.deepStrictEqual(await resolveAll("four.test"), [{ address: "192.0.2.1", family: 4 }])
    assert.deepStrictEqual(await resolveAll("six.test"), [{ address: "2001:db8::1", family: 6 }])
  })

  it.each([["missing.test", "ENOTFOUND"], ["empty.test", "ENODATA"], ["broken.test", "ESERVFAIL"]])(
    "HOSTILE-31 %s has none: %s",
    async (name, code) => {
      const error = await resolveAll(name).then(() => undefined, (reason: unknown) => reason)
      assert.deepInclude(error, { code })
    }
  )
})
