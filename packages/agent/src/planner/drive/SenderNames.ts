/** Names of people who send files, leave notes or open files, as others say them. */
import { plainName } from "../grammar/Spelling.ts"

const title = /^(?:mr|mrs|ms|miss|dr|prof|frau|herr|herrn|familie|the|die|der|den|dem|my|our|mein|meine|unser|unsere)$/

/** Words of a name, without how people are addressed. */
const namesOf = (who: string): ReadonlyArray<string> =>
  plainName(who).split(" ").filter((word) => word !== "" && !title.test(word))

/** Whether somebody of this name is meant by a name, or a part of one: "Grace" is "Grace Hopper". */
export const isCalled = (name: string, who: string): boolean => {
  const known = plainName(name).split(" ")
  const words = namesOf(who)
  return words.length > 0 && words.every((word) => known.some((one) => one === word || `${one}s` === word))
}

const isCapital = (word: string): boolean => /^\p{Lu}/u.test(word)

/** Words for people of whom the drive knows no name. */
const role =
  /^(?:i|we|you|he|she|they|it|people|someone|somebody|anyone|anybody|everyone|everybody|nobody|another|next|first|one|clients?|customers?|students?|pupils?|guests?|parents?|mum|mom|dad|mother|father|grandma|grandpa|boss|colleagues?|brides?|groom|couple|crew|band|team|landlord|tenants?|supplier|accountant|lawyer|editor|agent|agency|teacher|teachers|editorial|person|man|woman|kid|kids|child|children|friend|friends|members?|applicants?|jemand|leute|man|wer|kunden?|kundin|schuler|schulerin|gaste?|eltern|mutter|vater|oma|opa|chef|chefin|kollege|kollegin|kollegen|braut|brautigam|brautpaar|mieter|mieterin|mandant|mandantin|student|studentin|studenten|studierende)$/

/** Whether the words name somebody: "Grace", "Frau Meier", "bob", and not "the client". */
export const isNamedPerson = (who: string): boolean => {
  const words = who.trim().split(/\s+/u)
  const plain = namesOf(who)
  if (plain.length === 0 || plain.some((word) => role.test(word))) return false
  return /^(?:the|a|an|my|our|his|her|their|der|die|das|ein|eine|mein|meine|unser|unsere|sein|seine|ihr|ihre)$/i
      .test(words[0]!)
    ? words.slice(1).some(isCapital) &&
      !/^(?:der|die|das|ein|eine|mein|meine|unser|unsere|sein|seine|ihr|ihre)$/i.test(words[0]!)
    : true
}
