/** OAuth 2.1 for the apps that people connect to their drives. */
export { type SignIn } from "./oauth/Authorize.ts"
export { type Looks } from "./oauth/Looks.ts"
export * as OauthHttp from "./oauth/OauthHttp.ts"
