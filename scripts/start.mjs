/**
 * `npm start`: runs the example server from one file that is made of all sources, anew whenever one of them has changed. Loading 1,200
 * modules one by one takes four times as long and twice the memory. JavaScript, because stripping types takes time and memory too.
 */
import { enableCompileCache } from "node:module"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { madeServer } from "./madeServer.mjs"

const root = resolve(import.meta.dirname, "..")
const cache = join(root, "node_modules/.cache/filedrive-server")

const make = async () => {
  try {
    const { bundleServer } = await import("./bundleServer.ts")
    return await bundleServer(cache)
  } catch (error) {
    // As where the checkout can't be written, or the tools for development are not installed.
    console.warn(`The server starts from its single sources, which takes longer: ${error.message}`)
    return undefined
  }
}

const directory = madeServer(root, cache) ?? await make()
enableCompileCache(join(root, "node_modules/.cache/filedrive-compiled"))
const load = (path) => import(pathToFileURL(path).href)
if (process.argv[2] !== "--prepare") {
  if (directory === undefined) await load(join(root, "examples/node-server/src/main.ts"))
  else {
    await load(join(directory, "early.js"))
    await load(join(directory, "server.js"))
  }
} else if (directory !== undefined) {
  // What Node compiles now, the first start needs no more.
  await load(join(directory, "drive.js"))
}
