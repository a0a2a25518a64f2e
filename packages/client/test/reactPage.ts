/** React in a page: the hooks with React 18 or 19, in a DOM of their own, or without one as on a server. */
import type * as Hooks from "@filedrive/client/react"
import { build } from "esbuild"
import { Window } from "happy-dom"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import type * as React from "react"
import type { Root, RootOptions } from "react-dom/client"

export interface Bundle {
  readonly React: typeof React
  readonly hooks: typeof Hooks
  readonly createRoot: (container: unknown, options?: RootOptions) => Root
  readonly hydrateRoot: (container: unknown, children: React.ReactNode, options?: RootOptions) => Root
  readonly renderToString: (children: React.ReactNode) => string
}

export interface Page {
  readonly bundle: Bundle
  readonly container: { innerHTML: string; readonly textContent: string | null }
  /** What React has complained of. */
  readonly complaints: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

export type Major = 18 | 19

const source = `
  import * as React from "react"
  import * as hooks from "@filedrive/client/react"
  import { createRoot, hydrateRoot } from "react-dom/client"
  import { renderToString } from "react-dom/server"
  export { React, hooks, createRoot, hydrateRoot, renderToString }
`

/** The program of a page, as a bundler makes it. */
export const bundleOf = async (major: Major): Promise<string> => {
  const { outputFiles: [file] } = await build({
    stdin: { contents: source, resolveDir: dirname(fileURLToPath(import.meta.url)) },
    bundle: true,
    write: false,
    format: "iife",
    globalName: "bundle",
    platform: "browser",
    conditions: ["@filedrive/source"],
    define: { "process.env.NODE_ENV": `"development"` },
    ...major === 18 && { alias: { react: "react18", "react-dom": "react-dom18" } }
  })
  return file!.text
}

const { setImmediate } = globalThis

/** The platform's own would keep the process alive; it goes by the clock that tests don't move. */
class MessageChannel {
  readonly port1: { onmessage?: () => void } = {}
  readonly port2 = { postMessage: () => void setImmediate(() => this.port1.onmessage?.()) }
}

/** Runs it with these globals, of which the process has none. */
const run = (program: string, globals: Readonly<Record<string, unknown>>): Bundle => {
  const names = ["window", "document", "navigator", "console", "MessageChannel", "IS_REACT_ACT_ENVIRONMENT"]
  // oxlint-disable-next-line no-new-func -- the bundle of this test, as a page runs it
  const load = new Function(...names, `${program}; return bundle`)
  return load(...names.map((name) => globals[name])) as Bundle
}

export const openPage = (program: string): Page => {
  const window = new Window({ url: "https://host.example/" })
  const complaints: Array<string> = []
  const complain = (...parts: ReadonlyArray<unknown>) => void complaints.push(parts.map(String).join(" "))
  const container = window.document.createElement("div")
  window.document.body.append(container)
  const bundle = run(program, {
    window,
    document: window.document,
    navigator: window.navigator,
    MessageChannel,
    console: { ...console, error: complain, warn: complain, info: () => {} },
    IS_REACT_ACT_ENVIRONMENT: true
  })
  return { bundle, container, complaints, close: () => window.happyDOM.close() }
}

/** The same program where there is no page. */
export const openServer = (program: string): Bundle => run(program, { console, MessageChannel })
