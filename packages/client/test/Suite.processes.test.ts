/** The published suite, on every host, with its calls made by the client and by `drive.as(user)`: so that none of the three drifts. */
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

const hosts: Readonly<
  Record<string, { readonly mount: string; readonly listener: (drive: () => Drive) => RequestListener }>
> = {
  "node:http": { mount: "", listener: (drive) => (request, response) => drive().nodeHandler(request, response) },
  "node:http at /some/path": {
    mount: "/some/path",
    listener: (drive) => (request, response) => drive().nodeHandler(request, response)
  },
  "Express 5": {
    mount: "",
    listener: (drive) => express().use((request, response, next) => filedriveRouter(drive())(request, response, next))
  },
  "Express 4 at /some/path": {
    mount: "/some/path",
    listener: (drive) => {
      let router: ReturnType<typeof filedriveRouter> | undefined
      return express4().use(
        "/some/path",
        (request, response, next) => (router ??= filedriveRouter(drive()))(request, response, next)
      )
    }
  }
}

const callers = { "the client": () => byClient, "drive.as(user)": byUserDrive }

for (const [name, { listener, mount }] of Object.entries(hosts)) {
  for (const [calls, callerOf] of Object.entries(callers)) {
    httpSuite(`${name}, by ${calls}`, async (): Promise<HttpHost> => {
      const dataDirectory = await mkdtemp(join(tmpdir(), "filedrive-suite-"))
      const server = await listen(listener(() => drive), { port: 0 })
      const url = server.origin + mount
      const drive: Drive = createDrive({
        url,
        dataDirectory,
        database: testDatabase(),
        allowPrivateAddresses: true,
        log: "off"
      })
      return {
        url,
        caller: callerOf(drive),
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
