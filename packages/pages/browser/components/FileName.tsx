import { middleCut, shown } from "../foundation/format.ts"

/** The name of a file that somebody else gave. A long one is cut in its middle, so that its extension is seen. */
export const FileName = ({ name }: { readonly name: string }) => {
  const all = shown(name)
  return <bdi title={all}>{middleCut(all)}</bdi>
}
