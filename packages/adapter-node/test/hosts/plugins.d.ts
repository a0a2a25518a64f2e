/** Plugins without types of their own: what the tests use is alike. */
declare module "koa" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
  interface Context {
    readonly url: string
    readonly req: IncomingMessage
    readonly res: ServerResponse
    respond: boolean
  }
  export type Middleware = (context: Context, next: () => Promise<unknown>) => unknown
  export default class Koa {
    use(middleware: Middleware): this
    silent: boolean
    callback(): RequestListener
  }
}
declare module "koa-compress" {
  import type { Middleware } from "koa"
  const make: (options: object) => Middleware
  export default make
}
declare module "koa-helmet" {
  import type { Middleware } from "koa"
  const make: () => Middleware
  export default make
}
declare module "koa-bodyparser" {
  import type { Middleware } from "koa"
  const make: () => Middleware
  export default make
}
declare module "@koa/cors" {
  import type { Middleware } from "koa"
  const make: () => Middleware
  export default make
}
