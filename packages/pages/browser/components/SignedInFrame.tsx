import { useSignal } from "@preact/signals"
import { type ComponentChildren, render } from "preact"
import { useEffect } from "preact/hooks"
import { type PageName, pages, signedInPages } from "../../src/pages.ts"
import { navigationId } from "../../src/Settings.ts"
import type { KeyOf } from "../../src/texts/PageTexts.ts"
import type { signedInTexts } from "../../src/texts/signedInTexts.ts"
import { notify } from "../foundation/announce.ts"
import { shown } from "../foundation/format.ts"
import { refused, signedIn } from "../foundation/session.ts"
import { settings } from "../foundation/settings.ts"
import { signOut } from "../foundation/signOut.ts"
import { textsOf } from "../foundation/texts.ts"
import { Button } from "./Button.tsx"
import { Icon } from "./Icon.tsx"
import { Notable } from "./Notable.tsx"
import "./signedIn.css"

type SignedInText = KeyOf<typeof signedInTexts>

const t = textsOf<SignedInText>()

const SignOut = ({ page }: { readonly page: PageName }) => {
  const isBusy = useSignal(false)
  const leave = async () => {
    isBusy.value = true
    // Without what is open: the address says what somebody has.
    if (await signOut(settings.mount + pages[page].path).catch(() => false)) return
    isBusy.value = false
    notify(t("signedIn.outFailed"), "error")
  }
  return <Button kind="quiet" busy={isBusy.value} onClick={() => void leave()}>{t("signedIn.out")}</Button>
}

const Navigation = ({ page }: { readonly page: PageName }) => {
  const person = signedIn.value?.name ?? null
  return (
    <>
      <nav class="navigation" aria-label={t("signedIn.navigation")}>
        {signedInPages.map((name) => (
          <a key={name} href={settings.mount + pages[name].path} aria-current={name === page ? "page" : undefined}>
            {t(`signedIn.page.${name}` as SignedInText)}
          </a>
        ))}
        {settings.links.map(({ label, url }) => <a key={url} href={url}>{label}</a>)}
      </nav>
      <div class="account">
        {person === null ? null : (
          <p class="person" title={t("signedIn.as", { name: shown(person) })}>
            <span class="visually-hidden">{t("signedIn.as", { name: shown(person) })}</span>
            <bdi aria-hidden="true">{shown(person)}</bdi>
          </p>
        )}
        {settings.logoutUrl === null ? null : <SignOut page={page} />}
      </div>
    </>
  )
}

const Refused = ({ because }: { readonly because: "ended" | "account" }) => (
  <div class="card">
    {because === "ended"
      ? (
        <Notable
          icon="lock"
          title={t("signedIn.endedTitle")}
          actions={<a class="button button-primary" href={location.href}>{t("signedIn.again")}</a>}
        >
          <p>{t("signedIn.ended")}</p>
        </Notable>
      )
      : (
        <Notable icon="lock" title={t("signedIn.refusedTitle")}>
          <p>{t("signedIn.refused")}</p>
        </Notable>
      )}
  </div>
)

/** Above what was typed: it stays until somebody is signed in again. */
const SignedOut = () => (
  <div class="signed-out" role="alert">
    <Icon name="lock" />
    <p>{t("signedIn.typed")}</p>
    <a class="button button-secondary" href={location.href} target="_blank" rel="noopener">{t("signedIn.again")}</a>
  </div>
)

export interface SignedInFrameProps {
  /** The page's own name. */
  readonly page: PageName
  readonly children: ComponentChildren
}

/** What is around the pages of people who are signed in: the navigation and the person's name in the header, and `main`. */
export const SignedInFrame = ({ children, page }: SignedInFrameProps) => {
  useEffect(() => {
    const place = document.getElementById(navigationId)
    if (place !== null) render(<Navigation page={page} />, place)
  }, [page])
  const because = refused.value
  return (
    <main class="wide">
      {because === "typed" ? <SignedOut /> : null}
      {because === null || because === "typed" ? children : <Refused because={because} />}
    </main>
  )
}
