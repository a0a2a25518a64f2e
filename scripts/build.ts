/**
 * Builds every package into its `dist`, module by module, so that a host's
 * bundler drops what it doesn't use: JavaScript with tsup, declarations with the
 * compiler. A worker named in the sources as `new URL("./Name.ts", import.meta.url)`
 * stays where it is, beside the module that starts it.
 */
import { build as bundle } from "esbuild"
import { appendFileSync, copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { build } from "tsup"
import { buildPages } from "../packages/pages/build/buildPages.ts"
import { compiler, type Package, packages, root, run } from "./workspace.ts"

const javascript = (one: Package) =>
  build({
    config: false,
    entry: ["src/**/*.ts", "!src/**/*.test.ts"],
    outDir: "dist",
    bundle: false,
    format: "esm",
    target: one.manifest.name === "@filedrive/client" ? "es2022" : "node22.19",
    sourcemap: true,
    dts: false,
    silent: true,
    esbuildOptions: (options) => {
      options.absWorkingDir = one.directory
      options.outbase = "src"
    }
  })

/** Modules that have a library bundled into them, and the packages that come in by it. */
const bundled: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>> = {
  "@filedrive/adapter-node": { "http/NodeHandler": ["@effect/platform-node"] },
  "@filedrive/media": { "image/ExifReader": ["exifreader", "@xmldom/xmldom"] }
}

/** What a licence asks for: its words, and where the sources are. */
const licenceOf = (name: string): string => {
  const directory = join(root, "node_modules", name)
  const { license, repository, version } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"))
  const source = typeof repository === "string" ? repository : repository.url
  return `${name} ${version} (${license}), ${source}\n\n${readFileSync(join(directory, "LICENSE"), "utf8")}`
}

/** Puts libraries that hosts should not have to install into the modules that use them, their licences beside. */
const bundleLibraries = async ({ directory, manifest }: Package): Promise<void> => {
  for (const [module, libraries] of Object.entries(bundled[manifest.name] ?? {})) {
    await bundle({
      entryPoints: [join(directory, "src", `${module}.ts`)],
      outfile: join(directory, "dist", `${module}.js`),
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node22.19",
      // What hosts install themselves stays an import.
      external: Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
      // `node -e`, its standard input and workers of a text have a global `__filename`, which is no file.
      inject: [join(root, "scripts/moduleFile.ts")],
      sourcemap: true,
      banner: { js: `/*! Holds ${libraries.join(" and ")}: see ${module.split("/").at(-1)}.licences.txt */` }
    })
    writeFileSync(join(directory, "dist", `${module}.licences.txt`), libraries.map(licenceOf).join("\n\n"))
  }
}

/** The package of pages contains them as they are built, in the place of the module that builds them. */
const putPages = async ({ directory, manifest }: Package): Promise<void> => {
  if (manifest.name !== "@filedrive/pages") return
  const { built } = await buildPages()
  writeFileSync(join(directory, "dist/built.js"), `export const built = ${JSON.stringify(built)}\n`)
  rmSync(join(directory, "dist/built.js.map"))
}

/** Made against the declarations of the packages already built, as a host will see them. */
const declarations = (one: Package): boolean =>
  run(
    compiler(),
    "--noEmit false --emitDeclarationOnly --declaration --customConditions null --rootDir src --outDir dist".split(" "),
    one.directory
  )

const relativeModule = /((?:\bfrom|\bimport|\bimport\(|\bnew URL\(|\bdeclare module) ?"\.\.?\/[^"]*)\.ts"/g

/** Sources name each other with `.ts`, and so far their output does too. */
const nameOutput = (one: Package): void => {
  for (const file of globSync("dist/**/*.{js,d.ts}", { cwd: one.directory })) {
    const path = join(one.directory, file)
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(relativeModule, `$1.js"`))
  }
}

/**
 * Declarations drop imports whose types they write out, and with them what the imported modules declare of others. So a module
 * that others add to imports those: who sees it sees all of it.
 */
const keepAugmentations = (one: Package): void => {
  for (const file of globSync("dist/**/*.d.ts", { cwd: one.directory })) {
    const path = join(one.directory, file)
    for (const [, module] of readFileSync(path, "utf8").matchAll(/^declare module "(\.\.?\/[^"]*)\.js"/gm)) {
      const augmented = resolve(dirname(path), module!)
      const back = relative(dirname(augmented), path).replaceAll("\\", "/").replace(/\.d\.ts$/, ".js")
      appendFileSync(`${augmented}.d.ts`, `import "${back.startsWith(".") ? back : `./${back}`}"\n`)
    }
  }
}

/** Files that modules read beside themselves. */
const copyData = ({ directory }: Package): void => {
  for (const file of globSync("src/**/*.br", { cwd: directory })) {
    copyFileSync(join(directory, file), join(directory, "dist", relative("src", file)))
  }
}

for (const one of packages) {
  process.chdir(one.directory) // tsup reads the package it builds from here
  rmSync("dist", { recursive: true, force: true })
  await javascript(one)
  await bundleLibraries(one)
  await putPages(one)
  copyData(one)
  if (!declarations(one)) {
    console.error(`${one.manifest.name}: the declarations could not be made.`)
    process.exit(1)
  }
  nameOutput(one)
  keepAugmentations(one)
  console.log(`${one.manifest.name}: built ${one.entries.map(([subpath]) => subpath).join(", ")}`)
}
