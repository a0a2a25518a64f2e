/** Express 4 is installed beside 5 and has no types of its own; what the tests use is alike. */
declare module "express4" {
  export { default } from "express"
}
