/** The pages of consent in the look and the words of the drive's other pages. */
import { languageOf, languages, load, plainDocument, plainTextsOf, themeOf } from "@filedrive/pages"
import { Effect } from "effect"
import { assetsPath } from "../DrivePaths.ts"
import { mountOf } from "../http/MountPath.ts"
import { logoName } from "./Logo.ts"
import type { PagesOptions } from "./PagesOptions.ts"

export interface LooksOptions {
  readonly host: PagesOptions
  readonly siteUrl: string
  /** The path of the API below the drive's mount. */
  readonly api: string
  /** Whether the drive serves its pages, and so the host's logo. */
  readonly servesPages: boolean
}

const logoOf = ({ api, host: { logo, logoDark = logo }, servesPages, siteUrl }: LooksOptions) => {
  if (!servesPages || logo === undefined || logoDark === undefined) return null
  const path = mountOf(siteUrl) + assetsPath(api).replace(/\/\*$/, "")
  return { light: `${path}/${logoName(logo)}`, dark: `${path}/${logoName(logoDark)}` }
}

export const make = (options: LooksOptions) =>
  Effect.promise(async () => {
    const { host } = options
    const logo = logoOf(options)
    const available = languages(host.texts)
    const style = (await load()).plainStyle + (host.colours === undefined ? "" : themeOf(host.colours))
    return {
      style,
      hasImages: logo !== null,
      document: (page: { readonly title: string; readonly body: string; readonly language: string }) =>
        plainDocument({ ...page, style, hostName: host.name ?? null, logo }),
      textsFor: (acceptLanguage: string | undefined) => {
        const language = languageOf(acceptLanguage, available)
        return { language, texts: plainTextsOf("consent", language, host.texts) }
      }
    }
  })
