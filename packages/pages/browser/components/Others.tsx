import { shown } from "../foundation/format.ts"

/** A name or a line that somebody else wrote: its direction turns nothing around it. */
export const Others = ({ text }: { readonly text: string }) => <bdi>{shown(text)}</bdi>
