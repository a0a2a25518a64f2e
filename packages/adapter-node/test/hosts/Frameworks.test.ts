/** Drives in apps of Fastify, Koa and Nest, behind the plugins that are usual there. */
// oxlint-disable-next-line import/no-unassigned-import -- Nest needs what it adds to Reflect.
import "reflect-metadata"
import fastifyCompress from "@fastify/compress"
import fastifyCors from "@fastify/cors"
import fastifyHelmet from "@fastify/helmet"
import middie from "@fastify/middie"
import fastifyMultipart from "@fastify/multipart"
import { filedriveRouter } from "@filedrive/adapter-express"
import { createDrive, type Drive, listen } from "@filedrive/adapter-node"
import { DriveClient, testDatabase } from "@filedrive/testing"
import koaCors from "@koa/cors"
import { Module } from "@nestjs/common"
import { NestFactory } from "@nestjs/core"
import compression from "compression"
import Fastify from "fastify"
import helmet from "helmet"
import Koa from "koa"
import koaBody from "koa-bodyparser"
import koaCompress from "koa-compress"
import koaHelmet from "koa-helmet"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type RequestListener } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { checkTransfers } from "./Transfers.ts"

const ends: Array<() => Promise<unknown>> = []
afterAll(() => Promise.all(ends.map((end) => end())))

/** Makes an app around the drive; returns the listener of its requests. */
type Host = (drive: Drive) => Promise<RequestListener>

/** As in the documentation: the drive comes before the app. */
const fastifyBehind: Host = async (drive) => {
  let listener: RequestListener = () => {}
  const app = Fastify({
    serverFactory: (handler) => {
      listener = (request, response) => drive.nodeHandler(request, response, () => handler(request, response))
      return createServer()
    }
  })
  await app.register(fastifyCompress, { global: true, threshold: 0 })
  await app.register(fastifyHelmet)
  await app.register(fastifyCors)
  await app.register(fastifyMultipart)
  await app.ready()
  ends.push(() => app.close())
  return listener
}

/** As middleware of the app, behind others. */
const fastifyMiddle: Host = async (drive) => {
  const app = Fastify()
  await app.register(fastifyCompress, { global: true, threshold: 0 })
  await app.register(fastifyHelmet)
  await app.register(fastifyCors)
  await app.register(fastifyMultipart)
  await app.register(middie)
  app.use(helmet() as never)
  app.use(compression() as never)
  app.use("/drive", (request, response, next) => drive.nodeHandler(request, response, next))
  await app.ready()
  ends.push(() => app.close())
  return (request, response) => app.routing(request, response)
}

const koa: Host = async (drive) => {
  const app = new Koa()
  // It prints that a client went away.
  app.silent = true
  app.use(koaCompress({ threshold: 0 }))
  app.use(koaHelmet())
  app.use(koaCors())
  app.use((context, next) => {
    if (!drive.owns(context.url)) return next()
    context.respond = false
    drive.nodeHandler(context.req, context.res)
    return undefined
  })
  app.use(koaBody())
  return app.callback()
}

/** As `@Module({}) class` makes it, which Node can't run. */
const appModule = () => {
  const made = class {
    readonly isApp = true
  }
  Module({})(made)
  return made
}

const nest: Host = async (drive) => {
  const app = await NestFactory.create(appModule(), { logger: false })
  app.use(helmet())
  app.use(compression())
  app.enableCors()
  app.use("/drive", ...filedriveRouter(drive))
  await app.init()
  ends.push(() => app.close())
  return app.getHttpAdapter().getInstance()
}

const hosts: Readonly<Record<string, Host>> = {
  "Fastify, the drive before the app": fastifyBehind,
  "Fastify, the drive as middleware": fastifyMiddle,
  Koa: koa,
  Nest: nest
}

describe("Frameworks", () => {
  it.each(Object.keys(hosts))("HOST-241 %s, behind compression, helmet, cors and parsers", async (name) => {
    let listener: RequestListener = () => {}
    const server = await listen((request, response) => listener(request, response), { port: 0 })
    const url = `${server.origin}/drive`
    const dataDirectory = await mkdtemp(join(tmpdir(), "filedrive-framework-"))
    const drive = createDrive({
      url,
      dataDirectory,
      database: testDatabase(),
      media: false,
      runJobs: false,
      log: "off"
    })
    ends.push(() => server.stop().then(() => drive.close()).then(() => rm(dataDirectory, { recursive: true })))
    listener = await hosts[name]!(drive)
    const { userId } = await drive.accounts.create({}) ?? assert.fail("no account")
    const { token } = await drive.tokens.create(userId, { name: "test" })
    await checkTransfers(new DriveClient({ url, apiToken: token }), dataDirectory)
  })
})
