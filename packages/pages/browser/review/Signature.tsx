import type { Signal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { Field } from "../components/Field.tsx"
import { Others } from "../components/Others.tsx"
import type { Reviewing } from "./Reviewing.ts"
import { t } from "./texts.ts"

/** By which name somebody signs: asked for once, then only shown. */
export const Signature = (
  { error, reviewing }: { readonly reviewing: Reviewing; readonly error: Signal<string | undefined> }
) => {
  const place = useRef<HTMLDivElement>(null)
  const { value: missing } = error
  useEffect(() => {
    if (missing === undefined) return
    reviewing.isSigned.value = false
    place.current?.querySelector("input")?.focus()
  }, [missing])
  return (
    <div class="signature" ref={place}>
      {reviewing.isSigned.value
        ? (
          <p>
            <span>{t("review.as")}</span>{" "}
            <strong>
              <Others text={reviewing.name.value} />
            </strong>{" "}
            <button type="button" class="link-button" onClick={() => void (reviewing.isSigned.value = false)}>
              {t("review.changeName")}
            </button>
          </p>
        )
        : (
          <Field
            label={t("review.name")}
            name="name"
            autocomplete="name"
            maxLength={100}
            required
            value={reviewing.name.value}
            error={missing}
            onInput={(value) => {
              reviewing.name.value = value
              error.value = undefined
            }}
          />
        )}
    </div>
  )
}
