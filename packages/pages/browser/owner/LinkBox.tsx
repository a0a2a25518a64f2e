import { useId } from "preact/hooks"
import { Button } from "../components/Button.tsx"
import { Icon } from "../components/Icon.tsx"
import { notify } from "../foundation/announce.ts"
import { copyText } from "./publicLink.ts"
import { ownerText } from "./texts.ts"

/** Copies a link, and says whether that worked. */
export const copyLink = async (link: string): Promise<void> => {
  if (await copyText(link)) notify(ownerText("owner.copied"))
  else notify(ownerText("owner.copyFailed"), "error")
}

/** The link that is given away. `hint`: who may do what with it. */
export const LinkBox = ({ hint, link }: { readonly link: string; readonly hint: string }) => {
  const id = useId()
  return (
    <div class="link-box">
      <label for={id}>{ownerText("owner.link")}</label>
      <div class="link-line">
        <input
          id={id}
          class="link-text"
          readOnly
          value={link}
          dir="ltr"
          aria-describedby={`${id}-hint`}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button kind="primary" icon="copy" onClick={() => void copyLink(link)}>{ownerText("owner.copyLink")}</Button>
        <a
          class="icon-button link-open"
          href={link}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={ownerText("owner.openLink")}
          title={ownerText("owner.openLink")}
        >
          <Icon name="outside" />
        </a>
      </div>
      <p class="field-hint" id={`${id}-hint`}>{hint}</p>
    </div>
  )
}
