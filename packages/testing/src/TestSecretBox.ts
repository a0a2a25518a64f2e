/** A {@link SecretBox} for tests: it seals nothing, but opens a text only at its place. */
import { SecretBox } from "@filedrive/core"
import { Effect, Layer, Redacted } from "effect"

const mark = (place: string) => `sealed at ${place}: `

export const layer: Layer.Layer<SecretBox.SecretBox> = Layer.succeed(
  SecretBox.SecretBox,
  SecretBox.SecretBox.of({
    seal: (secret, place) => Effect.succeed(mark(place) + [...Redacted.value(secret)].toReversed().join("")),
    open: (sealed, place) =>
      sealed.startsWith(mark(place))
        ? Effect.succeed(Redacted.make(Array.from(sealed.slice(mark(place).length)).toReversed().join("")))
        : Effect.fail(new SecretBox.SecretNotOpened({ because: "The text was sealed at another place." })),
    isOutdated: () => Effect.succeed(false)
  })
)
