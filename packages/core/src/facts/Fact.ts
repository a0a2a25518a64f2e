/** One media fact: its name and kind, and where it comes from, is shown and is searched. */
import { Schema } from "effect"
import type { FileType } from "../shared/FileType.ts"
import type { FactKind } from "./FactKind.ts"

/** File types whose records show media facts. */
export type ShownType = Extract<FileType, "Audio" | "Video" | "Image">

export type ShownNames = { readonly [Type in ShownType]?: string }

/** The declaration of a fact. `Probe`, `Sound`, `Number` and `Beside` are names, and `never` where it has none. */
export interface Options<
  Probe extends string,
  Sound extends string,
  Import extends string,
  Shown extends ShownNames,
  Number extends string,
  Beside extends string
> {
  /** Its name in the answer of `MediaTools.probe`. */
  readonly probe?: Probe
  /** Its name in the answer of `MediaTools.listen`, which wins. */
  readonly sound?: Sound
  /** Its name in an import row, where that is not its own. */
  readonly imported?: Import
  /** Its name in the record of a file, by the file's type. */
  readonly shown?: Shown
  /** Whether its words find the file. */
  readonly isText?: boolean
  /** Its name in the search index, which filters by it. */
  readonly number?: Number
  /** The fact that it is shown and searched together with. */
  readonly beside?: Beside
}

export interface Fact<
  Name extends string,
  Stored,
  Told,
  Imported extends Schema.Top,
  Shown extends Schema.Top,
  Probe extends string,
  Sound extends string,
  Import extends string,
  ShownAs extends ShownNames,
  Number extends string,
  Beside extends string
> {
  readonly name: Name
  readonly column: string
  readonly sqlType: FactKind<Stored, Told, Imported, Shown>["sqlType"]
  readonly unknown: Stored
  readonly notFound: Told
  readonly probe: Probe | undefined
  readonly sound: Sound | undefined
  readonly imported: Import
  readonly importSchema: Schema.optionalKey<Imported>
  readonly shown: ShownAs
  readonly shownSchema: Shown
  /** As the examples of the documentation show it; undefined where it is not shown. */
  readonly example: Shown["Type"] | undefined
  readonly number: Number | undefined

  /** The stored value, from what tools returned. */
  readonly ofTools: (probed: { readonly [_ in Probe]: Told }, sound: { readonly [_ in Sound]: Told }) => Stored
  /** The stored value, from an import row's `media`. */
  readonly ofImport: (media: { readonly [_ in Import]?: Imported["Type"] }) => Stored
  /** What a record shows of the stored facts. */
  readonly show: (file: { readonly [_ in Name | Beside]: Stored | null }) => Shown["Type"]
  /** Its texts, where words find the file by them. */
  readonly texts: (file: { readonly [_ in Name]: Stored | null }) => ReadonlyArray<string>
  readonly numberOf: (file: { readonly [_ in Name | Beside]: Stored | null }) => number | null
}

/** `takenTime` is stored in the column `taken_time`. */
const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const make = <
  const Name extends string,
  Stored,
  Told,
  Imported extends Schema.Top,
  Shown extends Schema.Top,
  const Probe extends string = never,
  const Sound extends string = never,
  const Import extends string = Name,
  const ShownAs extends ShownNames = {},
  const Number extends string = never,
  const Beside extends string = never
>(
  name: Name,
  kind: FactKind<Stored, Told, Imported, Shown>,
  options: Options<Probe, Sound, Import, ShownAs, Number, Beside>,
  example?: Shown["Type"]
): Fact<Name, Stored, Told, Imported, Shown, Probe, Sound, Import, ShownAs, Number, Beside> => {
  const { beside, number, probe, shown, sound } = options
  // Without a name of its own its type is `Name`.
  const imported = options.imported ?? name as string as Import
  return {
    name,
    column: columnOf(name),
    sqlType: kind.sqlType,
    unknown: kind.unknown,
    notFound: kind.notFound,
    probe,
    sound,
    imported,
    importSchema: Schema.optionalKey(kind.imported),
    shown: shown ?? {} as ShownAs,
    shownSchema: kind.shown,
    example,
    number,
    ofTools: (probed, heard) =>
      (sound === undefined ? null : kind.keep(heard[sound]))
        ?? (probe === undefined ? kind.unknown : kind.keep(probed[probe])),
    ofImport: (media) => {
      const given = media[imported]
      return given === undefined ? kind.unknown : kind.keepImported(given)
    },
    show: (file) => kind.show(file[name], beside === undefined ? null : file[beside]),
    texts: (file) => options.isText === true ? kind.texts(file[name]) : [],
    numberOf: (file) => kind.number(file[name], beside === undefined ? null : file[beside])
  }
}
