/**
 * Encrypts what the drive has to keep of other people's secrets and must be able to read again, like the tokens of webhooks. What
 * needs only be compared is hashed instead.
 */
import { Context, type Effect, type Redacted, Schema } from "effect"

/** A sealed text can't be opened: its key is not known any more, it was changed, or it belongs to another row. */
export class SecretNotOpened extends Schema.TaggedError<SecretNotOpened>()("SecretNotOpened", {
  /** For the log. It holds nothing of the secret. */
  because: Schema.String
}) {
  override get message() {
    return this.because
  }
}

export class SecretBox extends Context.Service<SecretBox, {
  /**
   * Encrypts a secret with the newest key. The result is printable text of about 4/3 of the secret's bytes and 80 more; the
   * same secret gives another text each time.
   *
   * `place` names where the text is kept, like the ids of its row: with another place it can't be opened.
   */
  readonly seal: (secret: Redacted.Redacted<string>, place: string) => Effect.Effect<string>

  /** The secret again; also one that was sealed with an older key, as long as the host still gives that key. */
  readonly open: (sealed: string, place: string) => Effect.Effect<Redacted.Redacted<string>, SecretNotOpened>

  /** Whether a text was sealed with a key that is not the newest, so that it should be sealed again. */
  readonly isOutdated: (sealed: string) => Effect.Effect<boolean>
}>()("@filedrive/core/ports/SecretBox") {}
