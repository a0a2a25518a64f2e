import { Icon } from "../components/Icon.tsx"
import { hrefOf, onLink } from "./address.ts"

const list = { name: "list" } as const

export const BackLink = ({ text }: { readonly text: string }) => (
  <a class="back-link" href={hrefOf(list)} onClick={onLink(list)}>
    <Icon name="back" size={18} />
    {text}
  </a>
)
