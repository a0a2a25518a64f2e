/**
 * Writes the script and the style of the documentation page, made small, into `packages/core/src/http/docs/Assets.ts`:
 *
 *   node scripts/docsAssets.ts
 */
import { build } from "esbuild"
import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { argv } from "node:process"
import { root } from "./workspace.ts"

const small = async (file: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(root, "packages/core/page", file)],
    bundle: true,
    minify: true,
    write: false,
    charset: "ascii",
    format: "iife",
    target: ["es2022", "chrome111", "firefox113", "safari16.4"]
  })
  return outputFiles[0]!.text.trim()
}

const constant = (name: string, about: string, text: string): string => {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 12)
  return `/** ${about} */\nexport const ${name} = {\n  version: "${hash}",\n  text:\n    ${JSON.stringify(text)}\n}\n`
}

export const assetsFile = join(root, "packages/core/src/http/docs/Assets.ts")

/** The source of the module. */
export const assetsModule = async (): Promise<string> =>
  `/** Made by \`node scripts/docsAssets.ts\` of \`packages/core/page\`: change those files, not this one. */\n\n${
    constant("style", "The style of the documentation page.", await small("page.css"))
  }\n${constant("script", "Its script.", await small("page.ts"))}`

if (argv[1] === import.meta.filename) writeFileSync(assetsFile, await assetsModule())
