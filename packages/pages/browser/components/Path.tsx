import { Fragment } from "preact"
import { shown } from "../foundation/format.ts"

/** A path of folders, from left to right whichever way each is written. */
export const Path = ({ path }: { readonly path: string }) => (
  <bdi class="path" dir="ltr">
    {path.split("/").map((name, at) => (
      <Fragment key={at}>
        {at === 0 ? "" : "/"}
        {name === "" ? null : <bdi>{shown(name)}</bdi>}
      </Fragment>
    ))}
  </bdi>
)
