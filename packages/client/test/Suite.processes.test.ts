/**
 * The published suite with its calls made by the client, on every host, and by `drive.as(user)`, which passes no binding: there two will do.
 * So none of the three drifts.
 */
import { filedriveRouter } from "@filedrive/adapter-express"
import { createDrive, type Drive, listen } from "@filedrive/adapter-node"
import { testDatabase } from "@filedrive/testing"
import { type HttpHost, httpSuite } from "@filedrive/testing/suites"
import express from "express"
import express4 from "express4"
import { mkdtemp, rm } from "node:fs/promises"
import type { RequestListener } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { byClient, byUserDrive } from "./callers.ts"

interface Host {
  readonly mount: string
  readonly listener: (drive: Drive) => RequestListener
  /** Without a network: by the drive's own `fetch`. */
  readonly isInProcess?: true
}

const hosts: Readonly<Record<string, Host>> = {
  "node:http": { mount: "", listener: (drive) => drive.nodeHandler },
  "node:http at /some/path": { mount: "/some/path", listener: (drive) => drive.nodeHandler },
  "Express 5": { mount: "", listener: (drive) => express().use(filedriveRouter(drive)) },
  "Express 4 at /some/path": {
    mount: "/some/path",
    listener: (drive) => express4().use("/some/path", filedriveRouter(drive))
  },
  "fetch": { mount: "", listener: (drive) => drive.nodeHandler, isInProcess: true }
}

const callers = { "the client": () => byClient, "drive.as(user)": byUserDrive }

/** Those whose suite `drive.as(user)` runs too: bytes go through them all the same. */
const ofUserDrive: ReadonlySet<string> = new Set(["node:http", "fetch"])

/** The drive's own `fetch`, as a server calls it: with the length it was told. */
const fetchOf = (drive: Drive): NonNullable<HttpHost["fetch"]> => (url, init) => {
  const request = new Request(url, init)
  if (init?.body instanceof Uint8Array) request.headers.set("content-length", String(init.body.length))
  if (init?.body instanceof Blob) request.headers.set("content-length", String(init.body.size))
  return drive.fetch(request)
}

for (const [name, { isInProcess, listener, mount }] of Object.entries(hosts)) {
  for (const [calls, callerOf] of Object.entries(callers)) {
    if (callerOf === byUserDrive && !ofUserDrive.has(name)) continue
    httpSuite(`${name}, by ${calls}`, async (): Promise<HttpHost> => {
      const dataDirectory = await mkdtemp(join(tmpdir(), "filedrive-suite-"))
      let answer: RequestListener | undefined
      const server = await listen((request, response) => answer!(request, response), { port: 0 })
      const url = (isInProcess === true ? "http://drive.test" : server.origin) + mount
      const drive: Drive = createDrive({
        url,
        dataDirectory,
        database: testDatabase(),
        allowPrivateAddresses: true,
        log: "off"
      })
      answer = listener(drive)
      return {
        url,
        caller: callerOf(drive),
        ...isInProcess === true && { fetch: fetchOf(drive) },
        user: async (account = {}) => {
          const made = await drive.accounts.create(account)
          const { token } = await drive.tokens.create(made!.userId, { name: "suite" })
          return { userId: made!.userId, apiToken: token }
        },
        close: async () => {
          await server.stop()
          await drive.close()
          await rm(dataDirectory, { recursive: true, force: true })
        }
      }
    })
  }
}
