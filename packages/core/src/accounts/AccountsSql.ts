/** The default {@link Accounts}: users in the drive's own table, kept by {@link AccountsAdmin}. */
import { Effect, Layer } from "effect"
import { Accounts } from "../ports/Accounts.ts"
import { ProfilesRepo } from "./ProfilesRepo.ts"

export const layer = Layer.effect(
  Accounts,
  Effect.map(ProfilesRepo, ({ find, findByHandle }) => Accounts.of({ find, findByHandle }))
).pipe(Layer.provide(ProfilesRepo.layer))
