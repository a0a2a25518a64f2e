/** Middleware without types of its own: what the tests use is alike. */
declare module "compression" {
  import type { RequestHandler } from "express"
  const make: (options?: object) => RequestHandler
  export default make
}
declare module "morgan" {
  import type { RequestHandler } from "express"
  const make: (format: string, options: object) => RequestHandler
  export default make
}
declare module "cors" {
  import type { RequestHandler } from "express"
  const make: (options?: object) => RequestHandler
  export default make
}
declare module "cookie-parser" {
  import type { RequestHandler } from "express"
  const make: (secret?: string) => RequestHandler
  export default make
}
declare module "express-session" {
  import type { RequestHandler } from "express"
  const make: (options: object) => RequestHandler
  export default make
}
declare module "response-time" {
  import type { RequestHandler } from "express"
  const make: () => RequestHandler
  export default make
}
declare module "connect-timeout" {
  import type { RequestHandler } from "express"
  const make: (time: string) => RequestHandler
  export default make
}
declare module "multer" {
  import type { RequestHandler } from "express"
  const make: () => { readonly any: () => RequestHandler }
  export default make
}
