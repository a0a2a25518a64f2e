import type { Signal } from "@preact/signals"
import { useId } from "preact/hooks"
import { FieldError } from "../components/FieldError.tsx"
import { locale } from "../foundation/texts.ts"
import { type SizeUnit, sizeUnits } from "./amount.ts"
import { t } from "./texts.ts"

const unitName = (unit: SizeUnit): string =>
  new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short" }).formatToParts(2)
    .find(({ type }) => type === "unit")!.value

export interface SizeFieldProps {
  readonly amount: Signal<string>
  readonly unit: Signal<SizeUnit>
  readonly error: string | undefined
  readonly onInput: () => void
}

/** How much a request takes. */
export const SizeField = ({ amount, error, onInput, unit }: SizeFieldProps) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{t("requests.maxBytes")}</label>
      <div class="size-line">
        <input
          id={id}
          name="maxBytes"
          inputMode="decimal"
          autocomplete="off"
          maxLength={24}
          value={amount.value}
          aria-invalid={error === undefined ? undefined : "true"}
          aria-describedby={error === undefined ? `${id}-hint` : `${id}-hint ${id}-error`}
          onInput={(event) => {
            amount.value = event.currentTarget.value
            onInput()
          }}
        />
        <select
          name="unit"
          aria-label={t("requests.unit")}
          value={unit.value}
          onChange={(event) => {
            unit.value = event.currentTarget.value as SizeUnit
            onInput()
          }}
        >
          {sizeUnits.map((name) => <option key={name} value={name}>{unitName(name)}</option>)}
        </select>
      </div>
      <p class="field-hint" id={`${id}-hint`}>{t("requests.maxBytesHint")}</p>
      <FieldError id={`${id}-error`} error={error} />
    </div>
  )
}
